package io.quotashare.server.failpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A scheduler dies at every failpoint, at many of the times that it comes there, and is started
 * again on its database: the story comes out as if nothing had happened (reliability S1 to S10).
 * Every time: {@code -Dquotashare.kills=100000}.
 */
class KilledAtEveryStepTest {
  private static final int KILLS_A_POINT = Integer.getInteger("quotashare.kills", 5);

  /** gRPC tells of every handler that ends by an error, which here is what is wanted. */
  private static final Logger GRPC =
      Logger.getLogger("io.grpc.internal.SerializeReentrantCallsDirectExecutor");

  @TempDir private Path folder;
  private int stories;

  @BeforeEach
  void quiet() {
    GRPC.setLevel(Level.OFF);
  }

  @AfterEach
  void loud() {
    GRPC.setLevel(null);
  }

  private StoryOutcome play(KillSwitch failpoints) {
    try (KilledStory story = new KilledStory(folder.resolve("s" + stories++), failpoints)) {
      return story.play();
    }
  }

  @Test
  void storyComesOutTheSameTwice() {
    StoryOutcome outcome = play(KillSwitch.never());
    assertThat(outcome.jobs())
        .satisfiesExactly(
            base -> assertThat(base).contains("CANCELLED").contains("preempted 0"),
            loan ->
                assertThat(loan)
                    .contains("JOB_STATE_SUCCEEDED priority 20 preempted 1", "confirmed true"),
            own -> assertThat(own).contains("SUCCEEDED"));
    assertThat(outcome.launched()).hasSize(4);
    assertThat(play(KillSwitch.never())).isEqualTo(outcome);
  }

  @ParameterizedTest
  @EnumSource
  void storyComesOutTheSameWhoeverDies(Failpoint where) {
    KillSwitch counting = KillSwitch.never();
    StoryOutcome undisturbed = play(counting);
    int times = counting.count(where);
    assertThat(times).as("times that the story comes to " + where).isGreaterThan(5);
    List<Integer> kills = new ArrayList<>();
    for (int i = 0; i < Math.min(KILLS_A_POINT, times); i++) {
      kills.add(1 + (int) ((long) i * times / Math.min(KILLS_A_POINT, times)));
    }
    for (int nth : kills) {
      KillSwitch failpoints = KillSwitch.at(where, nth);
      assertThat(play(failpoints))
          .as("killed at " + where + ", time " + nth)
          .isEqualTo(undisturbed);
      assertThat(failpoints.isUsed()).isTrue();
    }
  }
}
