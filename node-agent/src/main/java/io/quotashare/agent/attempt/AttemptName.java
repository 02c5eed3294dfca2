package io.quotashare.agent.attempt;

import static java.util.Objects.requireNonNull;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of an attempt, {@code queues/{queue}/jobs/{job}/attempts/{number}}. Folders are made from
 * it, so nothing else is let in.
 *
 * @param queue queue id
 * @param job job id
 * @param number number of the attempt, from 1
 */
public record AttemptName(String queue, String job, int number) {
  private static final String ID = "[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?";
  private static final Pattern NAME =
      Pattern.compile("queues/(" + ID + ")/jobs/(" + ID + ")/attempts/([1-9][0-9]{0,8})");

  /** Checks the parts. */
  public AttemptName {
    requireNonNull(queue, "queue is null");
    requireNonNull(job, "job is null");
    if (!NAME.matcher(text(queue, job, number)).matches()) {
      throw new IllegalArgumentException(
          "attempt: '"
              + text(queue, job, number)
              + "' (expected: queues/{queue}/jobs/{job}/attempts/{number})");
    }
  }

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static AttemptName parse(String text) {
    Matcher matcher = NAME.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "attempt: '" + text + "' (expected: queues/{queue}/jobs/{job}/attempts/{number})");
    }
    return new AttemptName(matcher.group(1), matcher.group(2), Integer.parseInt(matcher.group(3)));
  }

  /** Name of the run folder. Ids hold no dot, so two attempts never share one. */
  public String folder() {
    return queue + "." + job + "." + number;
  }

  @Override
  public String toString() {
    return text(queue, job, number);
  }

  private static String text(String queue, String job, int number) {
    return "queues/" + queue + "/jobs/" + job + "/attempts/" + number;
  }
}
