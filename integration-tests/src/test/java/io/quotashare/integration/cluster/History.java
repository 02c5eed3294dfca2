package io.quotashare.integration.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.client.LogOptions;
import io.quotashare.client.LogStream;
import io.quotashare.client.ResourceNames;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Checks on what processes really did, whatever the scheduler believes. */
public final class History {
  private final List<AttemptHistory> attempts;

  private History(List<AttemptHistory> attempts) {
    this.attempts = attempts;
  }

  /** What the jobs of a cluster did so far. */
  public static History of(Cluster cluster) {
    return new History(cluster.training().history());
  }

  /**
   * No attempt was started twice, no job ran twice at a time, no device was used by two at a time,
   * and attempts are numbered without a gap.
   */
  public void check() {
    nothingRanTwice();
    for (AttemptHistory attempt : attempts) {
      if (attempt.attempt() > 1) {
        assertThat(attempts)
            .as("an attempt before " + name(attempt))
            .anyMatch(
                other ->
                    other.job().equals(attempt.job()) && other.attempt() == attempt.attempt() - 1);
      }
    }
  }

  /** The same, but for attempts of which no process was started. */
  public void nothingRanTwice() {
    for (AttemptHistory attempt : attempts) {
      assertThat(attempt.starts()).as("processes of " + name(attempt)).isOne();
    }
    List<AttemptHistory> byStart =
        attempts.stream().sorted(Comparator.comparing(AttemptHistory::beganAt)).toList();
    for (int later = 1; later < byStart.size(); later++) {
      for (int earlier = 0; earlier < later; earlier++) {
        checkPair(byStart.get(earlier), byStart.get(later));
      }
    }
  }

  private static void checkPair(AttemptHistory earlier, AttemptHistory later) {
    boolean sameAttempt = earlier.job().equals(later.job()) && earlier.attempt() == later.attempt();
    boolean sameJob = earlier.job().equals(later.job()) && !sameAttempt;
    boolean sameDevice =
        Arrays.stream(earlier.fact("devices").split(","))
            .anyMatch(List.of(later.fact("devices").split(","))::contains);
    if (sameJob || sameDevice) {
      assertThat(later.beganAt())
          .as(name(later) + " begins after " + name(earlier) + " has ended")
          .isGreaterThanOrEqualTo(earlier.lastSeenAt());
    }
  }

  /** The output of an attempt as the scheduler hands it out. */
  public static String output(Cluster cluster, String queue, AttemptHistory attempt) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    LogOptions options = LogOptions.newest().ofAttempt(attempt.attempt()).ofRank(attempt.rank());
    try (LogStream stream =
        cluster.client().jobs().logs(ResourceNames.job(queue, attempt.job()), options)) {
      stream.copyTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static String name(AttemptHistory attempt) {
    return attempt.job() + " attempt " + attempt.attempt() + " rank " + attempt.rank();
  }
}
