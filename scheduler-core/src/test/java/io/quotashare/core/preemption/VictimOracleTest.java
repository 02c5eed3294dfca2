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
  private static final Limits NEVER_EXHAUSTIVE =
      new Limits(
          0,
          Limits.DEFAULT.nodeSteps(),
          Limits.DEFAULT.choiceSteps(),
          Limits.DEFAULT.proofSteps(),
          Limits.DEFAULT.swapRounds());

  @Test
  void upToTwelveCandidatesTheBestSetIsFound() {
    int found = 0;
    for (int seed = 0; seed < 6_000; seed++) {
      Question question = RandomPools.small(seed, 3 + seed % 9);
      found += check(seed, question, new VictimSearch().find(question), 0);
    }
    assertThat(found).isGreaterThan(1_000);
  }

  @Test
  void withoutExhaustionTheSetIsAdmissibleAndCheap() {
    Gap gap = new Gap();
    for (int seed = 0; seed < 4_000; seed++) {
      Question question = RandomPools.small(seed, 6 + seed % 8);
      check(seed, question, new VictimSearch(NEVER_EXHAUSTIVE).find(question), gap);
    }
    assertThat(gap.count).isGreaterThan(1_000);
  }

  @Test
  void theOrderOfTheCandidatesDoesNotMatter() {
    for (int seed = 0; seed < 500; seed++) {
      Question question = RandomPools.small(seed, 20);
      List<Candidate> shuffled = new ArrayList<>(question.candidates());
      Collections.shuffle(shuffled, new Random(seed));
      Question same =
          new Question(
              question.beneficiaryShare(),
              question.shape(),
              question.room(),
              question.coming(),
              shuffled,
              question.above(),
              question.cover(),
              question.nowMillis());
      assertThat(new VictimSearch().find(same))
          .as("seed %s", seed)
          .isEqualTo(new VictimSearch().find(question));
    }
  }

  /** How much dearer the chosen sets are than the best ones. */
  private static final class Gap {
    double sum;
    double worst;
    int count;
    int dearer;
    int worstSeed;

    void add(int seed, long cost, long best) {
      double gap = best == 0 ? (cost == 0 ? 0 : 1) : (double) (cost - best) / best;
      sum += gap;
      count++;
      dearer += gap > 0 ? 1 : 0;
      if (gap > worst) {
        worst = gap;
        worstSeed = seed;
      }
    }

    double mean() {
      return sum / count;
    }

    @Override
    public String toString() {
      return String.format(
          "%d sets, %d dearer than the best, mean gap %.4f, worst %.4f (seed %d)",
          count, dearer, mean(), worst, worstSeed);
    }
  }

  private static int check(int seed, Question question, Answer answer, int unused) {
    Oracle oracle = new Oracle(question);
    Optional<Set<Candidate>> best = oracle.best();
    if (best.isEmpty()) {
      assertThat(answer).as("seed %s", seed).isEqualTo(otherwise(oracle));
      return 0;
    }
    assertThat(answer).as("seed %s", seed).isInstanceOf(Answer.Found.class);
    assertThat(new HashSet<>(((Answer.Found) answer).victims()))
        .as("seed %s", seed)
        .isEqualTo(best.get());
    return best.get().isEmpty() ? 0 : 1;
  }

  private static void check(int seed, Question question, Answer answer, Gap gap) {
    Oracle oracle = new Oracle(question);
    Optional<Set<Candidate>> best = oracle.best();
    if (best.isEmpty()) {
      assertThat(answer).as("seed %s", seed).isEqualTo(otherwise(oracle));
      return;
    }
    assertThat(answer).as("seed %s", seed).isInstanceOf(Answer.Found.class);
    List<Candidate> victims = ((Answer.Found) answer).victims();
    assertThat(Oracle.isAdmissible(question, victims)).as("admissible, seed %s", seed).isTrue();
    assertThat(victims).noneMatch(c -> c.isYoung(question.nowMillis()));
    assertThat(oracle.isDominated(victims)).as("has stand-ins, seed %s", seed).isFalse();
    if (!best.get().isEmpty()) {
      gap.add(seed, Oracle.cost(victims), Oracle.cost(best.get()));
    }
  }

  private static Answer otherwise(Oracle oracle) {
    return oracle.isAnyFeasible()
        ? new Answer.OnlyYoung(oracle.firstOld().orElseThrow())
        : new Answer.None();
  }
}
