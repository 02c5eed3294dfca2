package io.quotashare.server.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SortedTreeTest {
  @Property(tries = 300)
  void behavesLikeTreeMap(
      @ForAll @Size(max = 200) List<@IntRange(min = -50, max = 50) Integer> steps,
      @ForAll @IntRange(min = -60, max = 60) int from) {
    SortedTree<Integer, String> tree = SortedTree.empty();
    TreeMap<Integer, String> model = new TreeMap<>();
    for (int i = 0; i < steps.size(); i++) {
      int key = steps.get(i);
      if (i % 3 == 2) {
        tree = tree.without(key);
        model.remove(key);
      } else {
        tree = tree.with(key, "v" + i);
        model.put(key, "v" + i);
      }
    }

    assertThat(list(tree.values())).containsExactlyElementsOf(model.values());
    assertThat(tree.size()).isEqualTo(model.size());
    assertThat(list(tree.valuesFrom(from))).containsExactlyElementsOf(model.tailMap(from).values());
    assertThat(list(tree.valuesAfter(from)))
        .containsExactlyElementsOf(model.tailMap(from, false).values());
    assertThat(list(tree.valuesBefore(from)))
        .containsExactlyElementsOf(model.headMap(from, false).descendingMap().values());
    assertThat(tree.get(from).orElse(null)).isEqualTo(model.get(from));
  }

  @Test
  void staysFlatWhenKeysCome() {
    SortedTree<Integer, Integer> tree = SortedTree.empty();
    for (int i = 0; i < 10_000; i++) {
      tree = tree.with(i, i);
    }
    for (int i = 0; i < 5_000; i++) {
      tree = tree.without(i);
    }

    assertThat(tree.size()).isEqualTo(5_000);
    // An AVL tree is at most 1.44 times as high as it must be: 13 levels.
    assertThat(tree.height()).isLessThanOrEqualTo(19);
  }

  @Test
  void oldMapsStayAsTheyWere() {
    SortedTree<String, Integer> one = SortedTree.<String, Integer>empty().with("a", 1);
    SortedTree<String, Integer> two = one.with("a", 2).with("b", 3);

    assertThat(list(one.values())).containsExactly(1);
    assertThat(list(two.values())).containsExactly(2, 3);
    assertThat(list(two.without("a").values())).containsExactly(3);
    assertThat(list(two.values())).containsExactly(2, 3);
  }

  private static <T> List<T> list(Iterable<T> values) {
    List<T> result = new ArrayList<>();
    values.forEach(result::add);
    return result;
  }
}
