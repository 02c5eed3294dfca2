package io.quotashare.core.property;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.ShrinkingDistance;

/**
 * What a random test does: a setup and steps. Prints itself as the body of a test.
 *
 * @param seed what it was made from; for the report
 */
record Sequence(long seed, Setup setup, List<Step> steps) {
  Sequence {
    steps = List.copyOf(steps);
  }

  /** Does it all in a new world, and brings everything to its end. */
  World run() {
    World world = new World(setup);
    steps.forEach(step -> step.run().accept(world));
    new Ending(world).run();
    return world;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("\n// seed " + seed + "\nWorld world = new World(");
    text.append(setup).append(");\n");
    steps.forEach(step -> text.append(step).append('\n'));
    return text.toString();
  }

  // Making a failure smaller

  /** The same for jqwik: fewer steps first, then fewer shares and nodes, then fewer traits. */
  Shrinkable<Sequence> shrinkable() {
    return new Smaller(this);
  }

  private record Smaller(Sequence sequence) implements Shrinkable<Sequence> {
    @Override
    public Sequence value() {
      return sequence;
    }

    @Override
    public Stream<Shrinkable<Sequence>> shrink() {
      return Stream.of(
              sequence.withoutSteps(), sequence.withoutParts(), sequence.withSimplerSteps())
          .flatMap(List::stream)
          .map(Smaller::new);
    }

    @Override
    public ShrinkingDistance distance() {
      return ShrinkingDistance.of(sequence.steps.size(), sequence.toString().length());
    }
  }

  private List<Sequence> withoutSteps() {
    List<Sequence> result = new ArrayList<>();
    for (int size = Math.max(1, steps.size() / 2); size >= 1; size /= 2) {
      for (int from = steps.size() - size; from >= 0; from -= size) {
        List<Step> rest = new ArrayList<>(steps);
        rest.subList(from, from + size).clear();
        result.add(new Sequence(seed, setup, rest));
      }
    }
    return result;
  }

  private List<Sequence> withoutParts() {
    List<Sequence> result = new ArrayList<>();
    lists(setup.queues())
        .forEach(q -> result.add(with(new Setup(q, setup.shares(), setup.nodes()))));
    lists(setup.shares())
        .forEach(s -> result.add(with(new Setup(setup.queues(), s, setup.nodes()))));
    lists(setup.nodes())
        .forEach(n -> result.add(with(new Setup(setup.queues(), setup.shares(), n))));
    return result;
  }

  private Sequence with(Setup other) {
    return new Sequence(seed, other, steps);
  }

  /** All lists with one element less, or with one element that has one trait less. */
  private static <S extends Sketch<S>> List<List<S>> lists(List<S> all) {
    List<List<S>> result = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      List<S> rest = new ArrayList<>(all);
      rest.remove(i);
      result.add(rest);
      for (S simpler : all.get(i).simpler()) {
        List<S> changed = new ArrayList<>(all);
        changed.set(i, simpler);
        result.add(changed);
      }
    }
    return result;
  }

  private List<Sequence> withSimplerSteps() {
    List<Sequence> result = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      for (Step simpler : steps.get(i).simpler().get()) {
        List<Step> changed = new ArrayList<>(steps);
        changed.set(i, simpler);
        result.add(new Sequence(seed, setup, changed));
      }
    }
    return result;
  }
}
