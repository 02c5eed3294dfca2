package io.quotashare.core.replay;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

import io.quotashare.core.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a replay plays (scenario-format, Scenario).
 *
 * @param name name for people
 * @param policy queues and shares at time 0
 * @param nodes nodes at time 0
 * @param timing how long virtual agents take
 * @param running jobs that already run at time 0
 * @param events what happens from time 0 on; kept in order of time, then as given
 * @param untilMillis last instant that is played; empty for the last at which something happens
 * @param expectations what must hold; kept in order of time, those for the end last
 */
public record Scenario(
    String name,
    Policy policy,
    List<VirtualNode> nodes,
    Timing timing,
    List<RunningJob> running,
    List<ScenarioEvent> events,
    OptionalLong untilMillis,
    List<Expectation> expectations) {

  /**
   * How long virtual agents take, each 0 or more.
   *
   * @param startMillis from the placement to RUNNING
   * @param checkpointMillis to make a checkpoint that was asked for durable
   * @param stopMillis from the request to stop, or from the saved checkpoint, to free devices
   */
  public record Timing(long startMillis, long checkpointMillis, long stopMillis) {
    /** Everything takes no time at all. */
    public static final Timing INSTANT = new Timing(0, 0, 0);

    public Timing {
      checkNotNegative("startMillis", startMillis);
      checkNotNegative("checkpointMillis", checkpointMillis);
      checkNotNegative("stopMillis", stopMillis);
    }

    private static void checkNotNegative(String name, long millis) {
      checkArgument(millis >= 0, "%s: %s (expected: >= 0)", name, millis);
    }
  }

  public Scenario {
    requireNonNull(name, "name is null");
    requireNonNull(policy, "policy is null");
    nodes = List.copyOf(nodes);
    requireNonNull(timing, "timing is null");
    running = List.copyOf(running);
    List<ScenarioEvent> ordered = new ArrayList<>(events);
    ordered.sort(Comparator.comparingLong(ScenarioEvent::atMillis));
    checkArgument(
        ordered.isEmpty() || ordered.get(0).atMillis() >= 0,
        "first event: at %s ms (expected: 0 or later)",
        ordered.isEmpty() ? 0 : ordered.get(0).atMillis());
    events = List.copyOf(ordered);
    requireNonNull(untilMillis, "untilMillis is null");
    checkArgument(
        untilMillis.orElse(0) >= 0, "untilMillis: %s (expected: >= 0)", untilMillis.orElse(0));
    List<Expectation> due = new ArrayList<>(expectations);
    due.sort(Comparator.comparingLong(e -> e.atMillis().orElse(Long.MAX_VALUE)));
    expectations = List.copyOf(due);
    for (Expectation expectation : expectations) {
      long at = expectation.atMillis().orElse(0);
      checkArgument(
          at >= 0 && at <= untilMillis.orElse(Long.MAX_VALUE),
          "expectation: at %s ms (expected: 0 to the end of the replay)",
          at);
    }
  }
}
