package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * One entry of a batch, see {@link JobsClient#submitAll}.
 *
 * @param spec what to run
 * @param options id and request id of this entry
 */
public record Submission(JobSpec spec, SubmitOptions options) {
  private static final int MAX_BATCH = 1000;

  /** Checks that nothing is null. */
  public Submission {
    requireNonNull(spec, "spec");
    requireNonNull(options, "options");
  }

  /** The queue of a batch. Throws unless it has 1 to 1000 entries, all of the same queue. */
  static String queueOf(List<Submission> batch) {
    if (batch.isEmpty() || batch.size() > MAX_BATCH) {
      throw new IllegalArgumentException(
          "batch: " + batch.size() + " entries, expected 1 to " + MAX_BATCH);
    }
    String queue = batch.get(0).spec().queue();
    for (int i = 1; i < batch.size(); i++) {
      String other = batch.get(i).spec().queue();
      if (!other.equals(queue)) {
        throw new IllegalArgumentException(
            "batch[" + i + "]: queue " + other + ", expected " + queue + " as the first entry has");
      }
    }
    return queue;
  }

  /** With an id from the scheduler. */
  public static Submission of(JobSpec spec) {
    return new Submission(spec, SubmitOptions.defaults());
  }
}
