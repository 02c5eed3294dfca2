package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.client.Job;
import io.quotashare.client.JobSpec;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.Submission;
import io.quotashare.client.SubmitOptions;
import io.quotashare.client.SubmitOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Submits the jobs of one file, each with its own outcome, in one call a queue. */
final class Batch {
  private final Session session;
  private final String file;
  private final List<JobFlags> jobs;
  private final List<JobSpec> specs;
  private final RequestIdOption requestId;

  /**
   * Prepares a batch.
   *
   * @param file name for messages
   * @param jobs what the documents say, in their order
   * @param specs the same as descriptions
   */
  Batch(
      Session session,
      String file,
      List<JobFlags> jobs,
      List<JobSpec> specs,
      RequestIdOption requestId) {
    this.session = session;
    this.file = file;
    this.jobs = jobs;
    this.specs = specs;
    this.requestId = requestId;
  }

  int submit(Format format) {
    SubmitOutcome[] outcomes = new SubmitOutcome[specs.size()];
    Collection<List<Integer>> queues = byQueue().values();
    for (List<Integer> places : queues) {
      try {
        submit(places, outcomes);
      } catch (QuotaShareException e) {
        if (queues.size() == 1) {
          throw e;
        }
        // What other queues have accepted must still be told.
        places.forEach(place -> outcomes[place] = new SubmitOutcome.Refused("", e));
      }
    }
    List<Job> accepted = new ArrayList<>();
    int worst = ExitCode.OK;
    for (int i = 0; i < outcomes.length; i++) {
      if (outcomes[i] instanceof SubmitOutcome.Accepted outcome) {
        accepted.add(outcome.job());
      } else if (outcomes[i] instanceof SubmitOutcome.Refused outcome) {
        String what = file + ": document " + (i + 1);
        worst = Math.max(worst, session.refused(what, outcome.failure()));
      }
    }
    if (format == Format.name) {
      accepted.forEach(job -> session.out().println(job.id()));
    } else {
      session.printer().list(format, JobTexts.jobs(session.now()), accepted);
    }
    session.out().flush();
    if (worst != ExitCode.OK) {
      session.note(
          accepted.size() + " of " + outcomes.length + " jobs were accepted, the others refused");
    }
    return worst;
  }

  /** Places of the documents by their queue. */
  private Map<String, List<Integer>> byQueue() {
    Map<String, List<Integer>> places = new LinkedHashMap<>();
    for (int i = 0; i < specs.size(); i++) {
      places.computeIfAbsent(specs.get(i).queue(), queue -> new ArrayList<>()).add(i);
    }
    return places;
  }

  private void submit(List<Integer> places, SubmitOutcome[] outcomes) {
    List<Submission> batch = new ArrayList<>();
    for (int place : places) {
      batch.add(
          new Submission(
              specs.get(place),
              new SubmitOptions(jobs.get(place).id, requestId.of("document " + (place + 1)))));
    }
    List<SubmitOutcome> answers = session.client().jobs().submitAll(batch);
    for (int i = 0; i < places.size(); i++) {
      outcomes[places.get(i)] = answers.get(i);
    }
  }
}
