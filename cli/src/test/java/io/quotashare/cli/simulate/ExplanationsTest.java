package io.quotashare.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.Batch;
import io.quotashare.core.Explanation;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Waiting;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.replay.Replay;
import io.quotashare.core.replay.ReplayObserver;
import io.quotashare.core.replay.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * What {@code job explain} says, in files that a person can read and judge. With {@code
 * -Dquotashare.draw=true} the files are written, else compared.
 */
class ExplanationsTest {
  private static final Path SCENARIOS = Path.of("src/test/resources/scenarios");
  private static final Path TEXTS = Path.of("src/test/resources/explanations");
  private static final boolean DRAW = Boolean.getBoolean("quotashare.draw");

  /** Reasons that no scenario can bring about: somebody must act on the scheduler itself. */
  private static final Set<WaitingReason> BY_AN_ACT =
      EnumSet.of(
          WaitingReason.QUEUE_DISABLED,
          WaitingReason.SCHEDULING_PAUSED,
          WaitingReason.RECOVERING,
          WaitingReason.HELD,
          // Set aside; see docs/known-failures.md.
          WaitingReason.PACED);

  /**
   * A look at jobs in the middle of a scenario.
   *
   * @param scenario file without its ending
   * @param seconds when
   * @param jobs ids
   */
  private record Look(String scenario, int seconds, List<String> jobs) {
    Look(String scenario, int seconds, String... jobs) {
      this(scenario, seconds, List.of(jobs));
    }
  }

  private static final List<Look> LOOKS =
      List.of(
          new Look("three-teams-lend", 120, "high", "med", "low", "owner"),
          new Look(
              "known-failures/kueue-13662-early-victim-gets-nothing-back",
              75,
              "owner",
              "fast",
              "slow"),
          new Look("known-failures/volcano-5984-needs-one-stops-one", 61, "owner", "v9", "v0"),
          new Look("known-failures/volcano-4926-enough-is-not-placeable", 90, "wide", "b1", "o1"),
          new Look("known-failures/kueue-9876-young-attempts-are-protected", 120, "owner", "v"),
          new Look(
              "known-failures/skypilot-3907-a-lost-node-costs-its-own-jobs",
              80,
              "j1",
              "j2",
              "next"),
          new Look("known-failures/kueue-16049-larger-than-its-own", 60, "big", "low"),
          new Look("aws-batch/06-borrow-limit-percent", 30, "four", "five"),
          new Look("aws-batch/07-more-than-all-may-lend", 30, "ten", "eight"),
          new Look("aws-batch/08-larger-than-its-reserve", 30, "five"),
          new Look("aws-batch/09-larger-than-the-queue", 30, "twelve"),
          new Look("aws-batch/11-borrow-limit-300", 30, "j3", "j4", "j5"),
          new Look("aws-batch/19-in-share-preemption-off", 30, "low", "high"),
          new Look("aws-batch/22-priority-gives-no-protection", 3700, "top", "owner"),
          new Look("aws-batch/26-fifo-among-borrowers", 30, "l1", "old", "new"),
          new Look("disabled-share", 15, "a1", "a2"),
          new Look("observe-only-stops-nobody", 25, "*"),
          new Look("expected-start-by-time-limits", 60, "two", "four", "short"),
          new Look("explanations-of-shapes", 60, "*"),
          new Look("preemption-budget", 65, "once"));

  @TestFactory
  Stream<DynamicTest> everyTextIsAsReviewed() {
    return LOOKS.stream()
        .map(look -> DynamicTest.dynamicTest(look.scenario(), () -> compare(look)));
  }

  @Test
  void everyReasonIsExplainedSomewhere() {
    Set<WaitingReason> seen = EnumSet.noneOf(WaitingReason.class);
    for (Look look : LOOKS) {
      Scheduler scheduler = at(look);
      for (String id : ids(look, scheduler)) {
        Waiting waiting = scheduler.job(new JobKey("q", id)).map(Job::waiting).orElse(null);
        if (waiting != null) {
          seen.add(waiting.reason());
        }
      }
    }
    assertThat(seen)
        .containsExactlyInAnyOrderElementsOf(EnumSet.complementOf(EnumSet.copyOf(BY_AN_ACT)));
  }

  private static void compare(Look look) throws IOException {
    Path file = TEXTS.resolve(look.scenario().replace('/', '.') + ".txt");
    String text = text(look);
    if (DRAW) {
      Files.createDirectories(TEXTS);
      Files.writeString(file, text);
    }
    assertThat(text)
        .as("%s; -Dquotashare.draw=true writes it", file)
        .isEqualTo(Files.exists(file) ? Files.readString(file) : "");
  }

  private static String text(Look look) {
    Scheduler scheduler = at(look);
    StringBuilder text = new StringBuilder();
    text.append(look.scenario()).append(".yaml after ").append(look.seconds()).append(" s\n");
    for (String id : ids(look, scheduler)) {
      Explanation explanation = scheduler.explain(key(scheduler, id), millis(look));
      text.append('\n').append(explanation.summary()).append('\n');
      explanation.details().forEach(detail -> text.append("  ").append(detail).append('\n'));
      explanation
          .rejected()
          .forEach(
              other ->
                  text.append("  not chosen: ")
                      .append(other.job().id())
                      .append(": ")
                      .append(other.why())
                      .append('\n'));
      if (!explanation.stopping().isEmpty()) {
        text.append("  stopping for it: ")
            .append(String.join(", ", explanation.stopping().stream().map(JobKey::id).toList()))
            .append('\n');
      }
    }
    return text.toString();
  }

  private static List<String> ids(Look look, Scheduler scheduler) {
    return look.jobs().equals(List.of("*"))
        ? scheduler.jobs().stream().map(job -> job.key().id()).toList()
        : look.jobs();
  }

  private static JobKey key(Scheduler scheduler, String id) {
    return scheduler.jobs().stream()
        .map(Job::key)
        .filter(key -> key.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no job " + id));
  }

  private static long millis(Look look) {
    return Replay.EPOCH_MILLIS + look.seconds() * 1000L;
  }

  /** The scheduler as a scenario has brought it by then. */
  private static Scheduler at(Look look) {
    Scenario whole = ScenarioParser.parse(SCENARIOS.resolve(look.scenario() + ".yaml"));
    Scenario until =
        new Scenario(
            whole.name(),
            whole.policy(),
            whole.nodes(),
            whole.timing(),
            whole.running(),
            whole.events(),
            OptionalLong.of(look.seconds() * 1000L),
            List.of());
    Keeper keeper = new Keeper();
    Replay.run(until, line -> {}, keeper);
    assertThat(keeper.scheduler).isNotNull();
    return keeper.scheduler;
  }

  private static final class Keeper implements ReplayObserver {
    private @Nullable Scheduler scheduler;

    @Override
    public void afterStep(Scheduler now, Batch step, long nowMillis) {
      scheduler = now;
    }
  }
}
