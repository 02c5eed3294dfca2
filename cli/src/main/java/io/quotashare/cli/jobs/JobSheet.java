package io.quotashare.cli.jobs;

import io.quotashare.cli.output.Sheet;
import io.quotashare.cli.output.Style;
import io.quotashare.cli.output.Times;
import io.quotashare.cli.yaml.Durations;
import io.quotashare.client.Attempt;
import io.quotashare.client.BorrowMode;
import io.quotashare.client.Job;
import io.quotashare.client.JobSpec;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One job for people, a fact a line. */
final class JobSheet {
  private final Style style;
  private final Instant now;

  JobSheet(Style style, Instant now) {
    this.style = style;
    this.now = now;
  }

  void write(PrintWriter out, Job job) {
    JobSpec spec = job.spec();
    Sheet sheet = new Sheet(style);
    sheet.add("job", job.id());
    sheet.addUnlessEmpty("name", spec.displayName().equals(job.id()) ? "" : spec.displayName());
    sheet.add("queue, share", job.queue() + ", " + job.share());
    sheet.add("state", job.state().name(), JobTexts.tone(job.state()));
    sheet.addUnlessEmpty("why", JobTexts.why(job));
    sheet.addUnlessEmpty("held", job.held() ? "until quotashare job release " + job.id() : "");
    sheet.add("priority", String.valueOf(job.priority()));
    sheet.add("devices", devices(job));
    sheet.add("command", String.join(" ", spec.command()));
    sheet.addUnlessEmpty("folder", spec.workingDirectory());
    sheet.addUnlessEmpty("labels", pairs(spec.labels()));
    sheet.addUnlessEmpty("environment", pairs(spec.env()));
    sheet.addUnlessEmpty("time limit", duration(spec.timeLimit()));
    sheet.addUnlessEmpty("grace", duration(spec.grace()));
    sheet.addUnlessEmpty("checkpoint every", duration(spec.checkpointEvery()));
    sheet.add("checkpoint on demand", spec.onDemandCheckpoint() ? "yes" : "no");
    sheet.add("may borrow", spec.borrow() == BorrowMode.NEVER ? "never" : "as its share may");
    sheet.add("retries", retries(spec));
    sheet.add("preempted", preempted(job));
    sheet.add("submitted", when(job.submittedAt()));
    sheet.addUnlessEmpty("ended", job.endedAt() == null ? "" : when(job.endedAt()));
    attempt(sheet, job);
    sheet.write(out);
  }

  private static String retries(JobSpec spec) {
    if (!spec.retryExitCodes().isEmpty()) {
      return spec.retries() + ", only for exit codes " + codes(spec.retryExitCodes());
    }
    return spec.failExitCodes().isEmpty()
        ? String.valueOf(spec.retries())
        : spec.retries() + ", not for exit codes " + codes(spec.failExitCodes());
  }

  private static String codes(Set<Integer> codes) {
    return codes.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private void attempt(Sheet sheet, Job job) {
    Attempt latest = job.latestAttempt();
    if (latest == null) {
      return;
    }
    String where = JobTexts.placement(latest);
    sheet.add(
        "attempt",
        latest.number() + " of " + job.attemptCount() + (where.isEmpty() ? "" : ", on " + where));
    if (latest.step() != null) {
      String saved =
          latest.checkpointStep() == null ? "none saved" : "saved to " + latest.checkpointStep();
      sheet.add("step", latest.step() + " (" + saved + ")");
    }
    if (latest.exitCode() != null) {
      sheet.add("exit code", latest.exitCode().toString());
    }
  }

  private static String devices(Job job) {
    JobSpec spec = job.spec();
    String unit = spec.unit().isEmpty() ? "GPUs" : spec.unit();
    String shape =
        spec.nodes() == null || spec.gpusPerNode() == null
            ? ""
            : " (" + spec.nodes() + " x " + spec.gpusPerNode() + ")";
    return job.totalGpus() + " " + unit + shape;
  }

  private static String preempted(Job job) {
    Integer budget = job.spec().preemptionRetriesBeforeTermination();
    String limit = budget == null ? "no limit" : "fails at the " + (budget + 1L) + ".";
    return (job.preemptionCount() == 1 ? "once" : job.preemptionCount() + " times")
        + " ("
        + limit
        + ")";
  }

  private String when(@Nullable Instant time) {
    return time == null ? "-" : Times.date(time) + " (" + Times.between(time, now) + " ago)";
  }

  private static String duration(@Nullable Duration duration) {
    return duration == null ? "" : Durations.format(duration);
  }

  private static String pairs(Map<String, String> map) {
    return map.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(", "));
  }
}
