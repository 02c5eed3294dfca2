package io.quotashare.cli;

import static java.util.Objects.requireNonNull;

import io.quotashare.cli.console.Outside;
import io.quotashare.cli.output.Changes;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Printer;
import io.quotashare.cli.output.Style;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.NotFoundException;
import io.quotashare.client.Queue;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.ResourceNames;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a command works with while it runs: the client, the streams, and how to name things. */
public final class Session implements AutoCloseable {
  private final Outside outside;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Settings settings;
  private @Nullable QuotaShareClient client;
  private @Nullable Changes changes;

  Session(Outside outside, PrintWriter out, PrintWriter err, Settings settings) {
    this.outside = requireNonNull(outside, "outside");
    this.out = requireNonNull(out, "out");
    this.err = requireNonNull(err, "err");
    this.settings = requireNonNull(settings, "settings");
  }

  /** The client; made with the first use. */
  public QuotaShareClient client() {
    QuotaShareClient made = client;
    if (made == null) {
      made = outside.clients().open(settings.schedulers(), settings.admin(), this::note);
      client = made;
    }
    return made;
  }

  /** Standard output: data. */
  public PrintWriter out() {
    return out;
  }

  /** Standard error: everything else. */
  public PrintWriter err() {
    return err;
  }

  /** Prints resources. */
  public Printer printer() {
    return new Printer(out, err, style(), changes);
  }

  /** From now on formats for programs are printed as those of a watch: changes, one a line. */
  void beginWatch() {
    changes = new Changes();
  }

  /**
   * The format that was asked for, else that of QUOTASHARE_OUTPUT or of the context, else table.
   */
  Format format(@Nullable Format asked) {
    return asked != null ? asked : settings.output().orElse(Format.table);
  }

  /** Colours of standard output. */
  public Style style() {
    return new Style(outside.terminals().out() && colours());
  }

  /** Colours of standard error. */
  public Style errorStyle() {
    return new Style(outside.terminals().err() && colours());
  }

  /** The outside. */
  public Outside outside() {
    return outside;
  }

  /** Now. */
  public Instant now() {
    return outside.clock().instant();
  }

  /** What flags, environment and context say. */
  public Settings settings() {
    return settings;
  }

  /**
   * Says why one of several was refused.
   *
   * @return the exit code that it makes
   */
  public int refused(String what, QuotaShareException e) {
    return Failures.sayOne(what, e, err);
  }

  /** One line for people on standard error. */
  public void note(String line) {
    err.println(line);
    err.flush();
  }

  /**
   * The queue that a command is about: the one named, else that of QUOTASHARE_QUEUE or of the
   * context, else the only one that there is.
   *
   * @throws UsageException if there are several
   * @throws RefusedException if there is none
   */
  public String queue(@Nullable String named) {
    Optional<String> queue = named != null ? Optional.of(named) : settings.queue();
    if (queue.isPresent()) {
      return queue.get();
    }
    List<String> all = queues();
    if (all.size() > 1) {
      throw new UsageException(
          "there are "
              + all.size()
              + " queues ("
              + String.join(", ", all)
              + "): name one with --queue, QUOTASHARE_QUEUE or the queue of a context");
    }
    return all.get(0);
  }

  /**
   * The job that the user means.
   *
   * @param reference {@code ID}, {@code QUEUE/ID} or {@code queues/QUEUE/jobs/ID}
   * @param queue the queue that the user named, if one
   */
  public JobHandle job(String reference, @Nullable String queue) {
    String[] parts = reference.split("/", -1);
    if (parts.length == 4 && parts[0].equals("queues") && parts[2].equals("jobs")) {
      return client().jobs().handle(parts[1], parts[3]);
    }
    if (parts.length == 2) {
      return client().jobs().handle(parts[0], parts[1]);
    }
    if (parts.length != 1 || reference.isBlank()) {
      throw new UsageException(
          "JOB: \"" + reference + "\" is not a job, expected ID, QUEUE/ID or queues/QUEUE/jobs/ID");
    }
    if (queue != null || settings.queue().isPresent()) {
      return client().jobs().handle(queue(queue), reference);
    }
    return find(reference, queues());
  }

  /** The queue that has a job of this id; asks only where there is a choice. */
  private JobHandle find(String id, List<String> queues) {
    for (String queue : queues) {
      if (queues.size() == 1) {
        return client().jobs().handle(queue, id);
      }
      try {
        Job job = client().jobs().get(ResourceNames.job(queue, id));
        return client().jobs().handle(job.queue(), job.id());
      } catch (NotFoundException e) {
        // Another queue may have it.
      }
    }
    throw new RefusedException(
        "no queue (" + String.join(", ", queues) + ") has a job " + id + "; see quotashare jobs");
  }

  private List<String> queues() {
    List<String> all = client().queues().list().stream().map(Queue::id).toList();
    if (all.isEmpty()) {
      throw new RefusedException(
          "the scheduler has no queue yet: make one with quotashare apply -f policy.yaml");
    }
    return all;
  }

  /** The NO_COLOR convention: any value that is not empty switches colours off. */
  private boolean colours() {
    return outside.variables().getOrDefault("NO_COLOR", "").isEmpty()
        && !"dumb".equals(outside.variables().get("TERM"));
  }

  @Override
  public void close() {
    QuotaShareClient made = client;
    if (made != null) {
      made.close();
    }
  }
}
