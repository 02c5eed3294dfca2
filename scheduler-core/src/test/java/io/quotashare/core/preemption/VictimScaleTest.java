package io.quotashare.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Large pools: the rules hold there too, and the search ends. */
class VictimScaleTest {
  /** Members of a large set that are tested for stand-ins. */
  private static final int SAMPLE = 8;

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 8", "2, 8", "8, 8", "64, 4", "200, 8"})
  void aThousandNodesWithFiveThousandCandidates(int nodes, int gpusPerNode) {
    Question question = RandomPools.large(nodes, 1_000, 5_000, new Shape(nodes, gpusPerNode));
    Answer answer = new VictimSearch().find(question);
    assertThat(answer)
        .isInstanceOfSatisfying(Answer.Found.class, found -> assertAllowed(question, found));
    List<Candidate> shuffled = new ArrayList<>(question.candidates());
    Collections.shuffle(shuffled, new Random(nodes));
    assertThat(new VictimSearch().find(RandomPools.with(question, shuffled))).isEqualTo(answer);
  }

  @Test
  void manyCandidatesOnOneNode() {
    int found = 0;
    for (int seed = 0; seed < 40; seed++) {
      Question question = RandomPools.oneNode(seed, 400, new Shape(1, 100));
      Answer answer = new VictimSearch().find(question);
      assertThat(answer instanceof Answer.Found)
          .as("seed %s", seed)
          .isEqualTo(mostThatCanBeTaken(question) >= 100);
      if (answer instanceof Answer.Found set) {
        assertAllowed(question, set);
        found++;
      }
    }
    assertThat(found).isBetween(10, 39);
  }

  /** Rule 4.2 for each share alone: the largest free of charge, the rest at most the excess - 1. */
  private static int mostThatCanBeTaken(Question question) {
    Map<ShareKey, List<Integer>> sizes = new HashMap<>();
    for (Candidate candidate : question.candidates()) {
      sizes.computeIfAbsent(candidate.share(), s -> new ArrayList<>()).add(candidate.gpus());
    }
    int sum = 0;
    for (Map.Entry<ShareKey, List<Integer>> share : sizes.entrySet()) {
      boolean own = share.getKey().equals(question.beneficiaryShare());
      int excess = own ? 1_000_000 : question.above().get(share.getKey());
      Collections.sort(share.getValue());
      int most = 0;
      for (int last = 0; last < share.getValue().size() && excess > 0; last++) {
        BitSet sums = new BitSet();
        sums.set(0);
        for (int size : share.getValue().subList(0, last)) {
          for (int have = sums.length() - 1; have >= 0; have--) {
            sums.set(have + size, sums.get(have + size) || sums.get(have));
          }
        }
        most = Math.max(most, sums.previousSetBit(excess - 1) + share.getValue().get(last));
      }
      sum += most;
    }
    return sum;
  }

  private static void assertAllowed(Question question, Answer.Found found) {
    List<Candidate> victims = found.victims();
    assertThat(Oracle.isAdmissible(question, victims)).isTrue();
    assertThat(victims).noneMatch(victim -> victim.isYoung(question.nowMillis()));
    assertThat(found.places()).hasSize(question.shape().nodes());
    assertThat(found.rejected()).hasSizeLessThanOrEqualTo(10);
    for (Candidate victim : victims.subList(0, Math.min(SAMPLE, victims.size()))) {
      List<Candidate> withAllLower = new ArrayList<>(victims);
      withAllLower.remove(victim);
      for (Candidate candidate : question.candidates()) {
        if (!victims.contains(candidate) && Oracle.mayStandIn(question, candidate, victim)) {
          withAllLower.add(candidate);
        }
      }
      assertThat(Oracle.isFeasible(question, withAllLower)).as("lower than %s", victim).isFalse();
    }
  }
}
