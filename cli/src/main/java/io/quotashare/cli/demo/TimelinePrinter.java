package io.quotashare.cli.demo;

import io.quotashare.cli.jobs.EventLines;
import io.quotashare.cli.output.Style;
import io.quotashare.cli.output.Tone;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints the sequence as it happens. */
final class TimelinePrinter {
  private final PrintWriter out;
  private final Style style;
  private final Clock clock;
  private @Nullable Instant began;
  private int headings;

  TimelinePrinter(PrintWriter out, Style style, Clock clock) {
    this.out = out;
    this.style = style;
    this.clock = clock;
  }

  /** Times are counted from now. */
  void begin() {
    began = clock.instant();
  }

  /** What is done next. */
  void heading(String text) {
    headings++;
    out.println();
    out.println(style.paint(Tone.STRONG, headings + ". " + text));
    out.flush();
  }

  /** What happened. Progress is not printed: it would drown the rest. */
  void event(JobEvent event) {
    if (event.type() == JobEventType.UPDATED) {
      return;
    }
    Instant from = began == null ? clock.instant() : began;
    Instant at = event.time() == null ? clock.instant() : event.time();
    double seconds = Math.max(0, Duration.between(from, at).toMillis() / 1000.0);
    out.println(
        style.paint(Tone.DIM, String.format(Locale.ROOT, "%6.1f s  ", seconds))
            + style.paint(
                EventLines.tone(event.type()), String.format(Locale.ROOT, "%-12s", event.type()))
            + "  "
            + EventLines.sentence(event));
    out.flush();
  }
}
