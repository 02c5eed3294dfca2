package io.quotashare.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The search against {@link Oracle}, over thousands of random pools. */
class VictimOracleTest {
  /** Greedy starts and exchanges alone, which is what is left for the largest pools. */
  private static final Limits GREEDY = limits(0, 0);

  /** What follows above the exhaustive bound. */
  private static final Limits NOT_EXHAUSTIVE = limits(0, Limits.DEFAULT.branching());

  private static Limits limits(int exhaustive, int branching) {
    return new Limits(
        exhaustive,
        branching,
        Limits.DEFAULT.nodeSteps(),
        Limits.DEFAULT.choiceSteps(),
        Limits.DEFAULT.proofSteps(),
        Limits.DEFAULT.swapRounds());
  }

  @Test
  void upToTwelveCandidatesTheBestSetIsFound() {
    Gap gap = new Gap();
    for (int seed = 0; seed < 4_000; seed++) {
      check(seed, RandomPools.small(seed, 3 + seed % 10), new VictimSearch(), gap);
    }
    assertThat(gap.count).isGreaterThan(2_000);
    assertThat(gap.otherThanBest).as("sets that are not the best").isZero();
    assertThat(gap.approximate).as("sets said to be approximate").isZero();
  }

  @Test
  void aboveTheExhaustiveBoundTheCostIsNearTheOptimum() {
    Gap gap = new Gap();
    for (int seed = 0; seed < 2_500; seed++) {
      int candidates = seed % 32 == 0 ? 16 : 6 + seed % 8;
      check(seed, RandomPools.small(seed, candidates), new VictimSearch(NOT_EXHAUSTIVE), gap);
    }
    gap.assertSmall();
    assertThat(gap.otherThanBest - gap.approximate).as("wrong and not said so").isNotPositive();
  }

  @Test
  void greedyAloneIsNearTheOptimum() {
    Gap gap = new Gap();
    for (int seed = 10_000; seed < 12_000; seed++) {
      int candidates = seed % 32 == 0 ? 16 : 6 + seed % 8;
      check(seed, RandomPools.small(seed, candidates), new VictimSearch(GREEDY), gap);
    }
    gap.assertSmall();
  }

  @Test
  void theOrderOfTheCandidatesDoesNotMatter() {
    for (int seed = 0; seed < 500; seed++) {
      Question question = RandomPools.small(seed, 20);
      List<Candidate> shuffled = new ArrayList<>(question.candidates());
      Collections.shuffle(shuffled, new Random(seed));
      Question same = RandomPools.with(question, shuffled);
      assertThat(new VictimSearch().find(same))
          .as("seed %s", seed)
          .isEqualTo(new VictimSearch().find(question));
    }
  }

  /** How much dearer the chosen sets are than the best ones. */
  private static final class Gap {
    private double sum;
    private double worst;
    private int worstSeed;
    private int count;
    private int otherThanBest;
    private int approximate;

    void add(int seed, Answer.Found found, Set<Candidate> best) {
      long cost = Oracle.cost(found.victims());
      long least = Oracle.cost(best);
      double gap = least == 0 ? (cost == 0 ? 0 : 1) : (double) (cost - least) / least;
      sum += gap;
      count++;
      otherThanBest += new HashSet<>(found.victims()).equals(best) ? 0 : 1;
      approximate += found.approximate() ? 1 : 0;
      if (gap > worst) {
        worst = gap;
        worstSeed = seed;
      }
    }

    void assertSmall() {
      assertThat(count).isGreaterThan(1_000);
      assertThat(sum / count).as("mean gap to the optimum").isLessThan(0.05);
      assertThat(worst).as("worst gap to the optimum, seed %s", worstSeed).isLessThan(0.25);
    }
  }

  private static void check(int seed, Question question, VictimSearch search, Gap gap) {
    Oracle oracle = new Oracle(question);
    Optional<Set<Candidate>> best = oracle.best();
    Answer answer = search.find(question);
    if (best.isEmpty()) {
      Answer expected =
          oracle.isAnyFeasible()
              ? new Answer.OnlyYoung(oracle.firstOld().orElseThrow())
              : new Answer.None();
      assertThat(answer).as("seed %s", seed).isEqualTo(expected);
      return;
    }
    assertThat(answer).as("seed %s", seed).isInstanceOf(Answer.Found.class);
    Answer.Found found = (Answer.Found) answer;
    assertThat(Oracle.isAdmissible(question, found.victims()))
        .as("admissible (4.2, 4.4, nobody superfluous), seed %s", seed)
        .isTrue();
    assertThat(found.victims())
        .as("young (4.5 i), seed %s", seed)
        .noneMatch(c -> c.isYoung(question.nowMillis()));
    assertThat(oracle.isDominated(found.victims()))
        .as("has stand-ins (4.5 ii), seed %s", seed)
        .isFalse();
    assertThat(found.places()).as("places, seed %s", seed).hasSize(question.shape().nodes());
    if (!best.get().isEmpty()) {
      gap.add(seed, found, best.get());
    }
  }
}
