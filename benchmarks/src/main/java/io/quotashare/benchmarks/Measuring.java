package io.quotashare.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures groups of figures. The members of a group take turns, round by round, so that whatever
 * else the machine does meets all of them and ratios stay true; the first rounds warm up and do not
 * count.
 */
final class Measuring {
  /** One member of a group: does its work once and says what it took. */
  interface Round {
    /**
     * @param watch to run while what is measured runs, and only then
     * @return decisions that were made meanwhile, 1 or more
     */
    int run(Stopwatch watch);
  }

  private record Member(int at, Round round, List<double[]> results) {}

  private final int warmUps;
  private final int rounds;
  private final Consumer<String> out;

  /**
   * @param warmUps rounds that do not count, 0 or more
   * @param rounds rounds that count, 1 or more
   * @param out takes one line per figure
   */
  Measuring(int warmUps, int rounds, Consumer<String> out) {
    this.warmUps = warmUps;
    this.rounds = rounds;
    this.out = out;
  }

  /** Collects the members of a group. */
  final class Group {
    private final String name;
    private final List<Member> members = new ArrayList<>();

    private Group(String name) {
      this.name = name;
    }

    Group with(int at, Round round) {
      members.add(new Member(at, round, new ArrayList<>()));
      return this;
    }

    /** Measures all members; prints and returns their figures. */
    List<Figure> measure() {
      for (int r = -warmUps; r < rounds; r++) {
        for (Member member : members) {
          double[] result = once(member.round());
          if (r >= 0) {
            member.results().add(result);
          }
        }
      }
      List<Figure> figures = new ArrayList<>();
      for (Member member : members) {
        Figure figure = figure(member, figures.isEmpty() ? 0 : figures.get(0).micros());
        figures.add(figure);
        out.accept(figure.line());
      }
      return figures;
    }

    private Figure figure(Member member, double firstMicros) {
      double[] cpu = sorted(member.results(), 0);
      double[] wall = sorted(member.results(), 1);
      double[] gc = sorted(member.results(), 2);
      double median = cpu[cpu.length / 2];
      double ratio = firstMicros == 0 ? 1 : median / firstMicros;
      return new Figure(
          name,
          member.at(),
          median,
          cpu[0],
          cpu[cpu.length - 1],
          gc[gc.length / 2],
          wall[wall.length / 2],
          ratio);
    }
  }

  Group group(String name) {
    return new Group(name);
  }

  private static double[] once(Round round) {
    Stopwatch watch = new Stopwatch();
    int decisions = round.run(watch);
    if (decisions < 1) {
      throw new IllegalStateException("decisions: " + decisions + " (expected: 1 or more)");
    }
    return new double[] {
      watch.cpuMicros() / decisions, watch.wallMicros() / decisions, watch.gcMicros() / decisions
    };
  }

  private static double[] sorted(List<double[]> results, int column) {
    double[] values = results.stream().mapToDouble(result -> result[column]).toArray();
    Arrays.sort(values);
    return values;
  }
}
