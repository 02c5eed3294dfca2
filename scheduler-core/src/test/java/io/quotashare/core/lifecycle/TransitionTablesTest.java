package io.quotashare.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.JobState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Every state and every event of both life cycles, against literal tables; and their drawing. */
class TransitionTablesTest {
  /** Columns: the events in their order. A dot is an event that is not legal in the state. */
  private static final List<String> ATTEMPTS =
      List.of(
          "SCHEDULED  . STARTING RUNNING PREEMPTING STOPPING UNKNOWN ENDED",
          "STARTING   . . RUNNING PREEMPTING STOPPING UNKNOWN ENDED",
          "RUNNING    . . . PREEMPTING STOPPING UNKNOWN ENDED",
          "PREEMPTING . . . . STOPPING . ENDED",
          "STOPPING   . . . . STOPPING . ENDED",
          "UNKNOWN    SCHEDULED STARTING RUNNING PREEMPTING STOPPING . ENDED",
          "ENDED      . . . . . . .");

  private static final List<String> JOBS =
      List.of(
          "SUBMITTED  RUNNABLE SCHEDULED . . . . . . . . FAILED CANCELLED",
          "RUNNABLE   RUNNABLE SCHEDULED . . . . . . . . FAILED CANCELLED",
          "SCHEDULED  . . . STARTING RUNNING PREEMPTING STOPPING UNKNOWN RUNNABLE SUCCEEDED FAILED CANCELLED",
          "STARTING   . . . . RUNNING PREEMPTING STOPPING UNKNOWN RUNNABLE SUCCEEDED FAILED CANCELLED",
          "RUNNING    . . . . . PREEMPTING STOPPING UNKNOWN RUNNABLE SUCCEEDED FAILED CANCELLED",
          "PREEMPTING . . . . . . STOPPING . RUNNABLE SUCCEEDED FAILED CANCELLED",
          "STOPPING   . . . . . . STOPPING . RUNNABLE SUCCEEDED FAILED CANCELLED",
          "UNKNOWN    . . SCHEDULED STARTING RUNNING PREEMPTING STOPPING . RUNNABLE SUCCEEDED FAILED CANCELLED",
          "SUCCEEDED  . . . . . . . . . . . .",
          "FAILED     . . . . . . . . . . . .",
          "CANCELLED  . . . . . . . . . . . .");

  /** Writes the drawing instead of comparing it: {@code -Dquotashare.draw=true}. */
  private static final boolean DRAW = Boolean.getBoolean("quotashare.draw");

  @Test
  void attemptsMoveAsTheTableSays() {
    assertThat(matrix(AttemptLifecycle.TABLE)).isEqualTo(words(ATTEMPTS));
    assertThat(AttemptLifecycle.TABLE.states()).hasSize(ATTEMPTS.size());
  }

  @Test
  void jobsMoveAsTheTableSays() {
    assertThat(matrix(JobLifecycle.TABLE)).isEqualTo(words(JOBS));
    assertThat(JobLifecycle.TABLE.states()).hasSize(JOBS.size());
  }

  @Test
  void whatEndedNeverMovesAgain() {
    for (JobState state : JobState.values()) {
      if (state.isTerminal()) {
        for (JobLifecycle.Event event : JobLifecycle.Event.values()) {
          assertThat(JobLifecycle.TABLE.next(state, event)).isEmpty();
        }
      }
    }
    for (AttemptLifecycle.Event event : AttemptLifecycle.Event.values()) {
      assertThat(AttemptLifecycle.TABLE.next(AttemptState.ENDED, event)).isEmpty();
    }
  }

  @Test
  void theDrawingShowsTheTables() throws IOException {
    Path page = Path.of("..", "docs", "life-cycles.md");
    String drawn = page();
    if (DRAW) {
      Files.writeString(page, drawn);
    }
    assertThat(page)
        .as("docs/life-cycles.md; draw it anew with -Dquotashare.draw=true")
        .exists()
        .hasContent(drawn);
  }

  private static <S extends Enum<S>, E extends Enum<E>> List<List<String>> matrix(
      TransitionTable<S, E> table) {
    List<List<String>> rows = new ArrayList<>();
    for (S state : table.states()) {
      List<String> row = new ArrayList<>(List.of(state.name()));
      for (E event : table.events()) {
        row.add(table.next(state, event).map(Enum::name).orElse("."));
      }
      rows.add(row);
    }
    return rows;
  }

  private static List<List<String>> words(List<String> rows) {
    return rows.stream().map(row -> Arrays.asList(row.split(" +"))).toList();
  }

  private static String page() {
    return """
        # Life cycles

        Drawn from the transition tables of `scheduler-core` by a test. A move that is not drawn is illegal: it changes
        nothing and is counted.

        ## Attempt

        One placement of a job. It holds its devices until they are known to be free (`ENDED`).

        """
        + drawing(AttemptLifecycle.TABLE)
        + """

        ## Job

        Between `SCHEDULED` and its end a job shows the state of its attempt.

        """
        + drawing(JobLifecycle.TABLE);
  }

  /** One arrow a pair of states, named after all events that lead along it. */
  private static <S extends Enum<S>, E extends Enum<E>> String drawing(
      TransitionTable<S, E> table) {
    StringBuilder text = new StringBuilder("```mermaid\nstateDiagram-v2\n");
    for (S state : table.states()) {
      Map<String, List<String>> events = new TreeMap<>();
      for (E event : table.events()) {
        table
            .next(state, event)
            .ifPresent(
                to ->
                    events.computeIfAbsent(to.name(), name -> new ArrayList<>()).add(event.name()));
      }
      events.forEach(
          (to, names) ->
              text.append("  ")
                  .append(state)
                  .append(" --> ")
                  .append(to)
                  .append(" : ")
                  .append(String.join(", ", names))
                  .append('\n'));
    }
    return text.append("```\n").toString();
  }
}
