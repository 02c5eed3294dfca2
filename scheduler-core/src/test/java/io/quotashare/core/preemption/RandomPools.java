package io.quotashare.core.preemption;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Random questions as a scheduler would ask them: nodes with devices that are partly free, partly
 * coming free, partly held by what may not be taken, and the rest held by candidates of several
 * shares, some of them gangs, plans, or young.
 */
final class RandomPools {
  static final ShareKey OWNER = new ShareKey("q", "owner");
  static final long NOW = 1_000_000_000L;

  private static final long HOUR = 3_600_000L;
  private static final long RESTART = 180_000L;

  private final Random random;
  private final List<Candidate> candidates = new ArrayList<>();
  private final TreeMap<String, Integer> room = new TreeMap<>();
  private final TreeMap<String, Integer> coming = new TreeMap<>();

  private RandomPools(long seed) {
    this.random = new Random(seed);
  }

  /** A small pool with at most {@code atMost} candidates. */
  static Question small(long seed, int atMost) {
    return new RandomPools(seed).question(2 + (int) (seed % 5), atMost);
  }

  /** A pool of many nodes. */
  static Question large(long seed, int nodes, int candidates, Shape shape) {
    RandomPools pools = new RandomPools(seed);
    pools.fill(nodes, 8, candidates, 6, 0.01);
    return pools.question(shape, 6);
  }

  /** One large node. */
  static Question oneNode(long seed, int devices, Shape shape) {
    RandomPools pools = new RandomPools(seed);
    pools.fill(1, devices, devices, 3, 0);
    pools.room.put("n0", 0);
    pools.coming.clear();
    return pools.question(shape, 3, taken -> true);
  }

  /** The same question with the candidates in another order. */
  static Question with(Question question, List<Candidate> candidates) {
    return new Question(
        question.beneficiaryShare(),
        question.shape(),
        question.room(),
        question.coming(),
        candidates,
        question.above(),
        question.cover(),
        question.nowMillis());
  }

  private Question question(int nodes, int atMost) {
    int perNode = random.nextBoolean() ? 8 : 4;
    int shares = 1 + random.nextInt(3);
    fill(nodes, perNode, atMost, shares, random.nextInt(3) == 0 ? 0.2 : 0);
    int shapeNodes = random.nextInt(3) == 0 ? 1 + random.nextInt(nodes) : 1 + random.nextInt(2);
    Shape shape = new Shape(Math.min(shapeNodes, nodes), 1 + random.nextInt(perNode));
    return question(shape, shares);
  }

  private void fill(int nodes, int perNode, int atMost, int shares, double young) {
    int[] left = new int[nodes];
    for (int node = 0; node < nodes; node++) {
      int free = random.nextInt(4) == 0 ? random.nextInt(perNode + 1) : 0;
      int leaving = free == 0 || random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(free);
      int untouchable = random.nextInt(3) == 0 ? random.nextInt(perNode + 1 - free) : 0;
      left[node] = perNode - free - untouchable;
      if (random.nextInt(20) > 0) {
        room.put(name(node), free);
        if (leaving > 0) {
          coming.put(name(node), leaving);
        }
      }
    }
    for (int i = 0, misses = 0; candidates.size() < atMost && misses < 4 * atMost; i++) {
      SortedMap<String, Integer> freed = place(left, perNode);
      if (freed.isEmpty()) {
        misses++;
      } else {
        candidates.add(candidate(i, freed, shares, young));
      }
    }
  }

  private SortedMap<String, Integer> place(int[] left, int perNode) {
    int wide = random.nextInt(4) == 0 ? 2 + random.nextInt(3) : 1;
    int devices = random.nextInt(3) > 0 ? 1 + random.nextInt(2) : 1 + random.nextInt(perNode);
    int start = random.nextInt(left.length);
    TreeMap<String, Integer> freed = new TreeMap<>();
    for (int i = 0; i < left.length && freed.size() < wide; i++) {
      int node = (start + i) % left.length;
      if (left[node] >= devices) {
        freed.put(name(node), devices);
      }
    }
    if (freed.size() < wide) {
      return new TreeMap<>();
    }
    freed.keySet().forEach(node -> left[Integer.parseInt(node.substring(1))] -= devices);
    return freed;
  }

  private Candidate candidate(
      int number, SortedMap<String, Integer> freed, int shares, double youngProbability) {
    int gpus = freed.values().stream().mapToInt(n -> n).sum();
    int shareNumber = random.nextInt(shares + 1);
    ShareKey share = shareNumber == 0 ? OWNER : new ShareKey("q", "s" + shareNumber);
    boolean plan = shareNumber > 0 && random.nextInt(12) == 0;
    long age = (long) (Math.exp(random.nextGaussian() * 1.5) * HOUR / 2);
    long started = NOW - (random.nextInt(5) == 0 ? HOUR : age);
    boolean young = !plan && random.nextDouble() < youngProbability;
    return new Candidate(
        plan ? Candidate.Kind.PLAN : Candidate.Kind.ATTEMPT,
        new JobKey("q", "j" + number),
        share,
        random.nextInt(4),
        freed,
        gpus,
        young ? NOW + 1 + random.nextInt(5) * 1000L : plan ? 0 : started,
        plan ? 0 : gpus * (RESTART + (random.nextInt(3) == 0 ? 0 : (NOW - started) / 4)),
        started);
  }

  private Question question(Shape shape, int shares) {
    return question(shape, shares, cover(shape));
  }

  private Question question(Shape shape, int shares, Question.Cover cover) {
    Map<ShareKey, Integer> held = new HashMap<>();
    candidates.forEach(c -> held.merge(c.share(), c.gpus(), Integer::sum));
    Map<ShareKey, Integer> above = new HashMap<>();
    for (int s = 1; s <= shares; s++) {
      ShareKey share = new ShareKey("q", "s" + s);
      int all = held.getOrDefault(share, 0);
      int some = 1 + random.nextInt(Math.max(1, all));
      above.put(share, random.nextInt(2) == 0 ? all : random.nextInt(8) == 0 ? 0 : some);
    }
    return new Question(OWNER, shape, room, coming, List.copyOf(candidates), above, cover, NOW);
  }

  /** Sometimes always, sometimes a number of devices in all, of the owner's, or of one share's. */
  private Question.Cover cover(Shape shape) {
    int total = random.nextInt(shape.total() + 3);
    int own = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 0;
    int first = random.nextInt(5) == 0 ? 1 + random.nextInt(3) : 0;
    ShareKey share = new ShareKey("q", "s1");
    return switch (random.nextInt(3)) {
      case 0 -> taken -> true;
      case 1 -> taken -> sum(taken) >= total;
      default ->
          taken ->
              sum(taken) >= total / 2
                  && taken.getOrDefault(OWNER, 0) >= own
                  && taken.getOrDefault(share, 0) >= first;
    };
  }

  private static int sum(Map<ShareKey, Integer> taken) {
    return taken.values().stream().mapToInt(n -> n).sum();
  }

  private static String name(int node) {
    return "n" + node;
  }
}
