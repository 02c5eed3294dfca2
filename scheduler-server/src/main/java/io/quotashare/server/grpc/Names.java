package io.quotashare.server.grpc;

import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ShareKey;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Resource names of the contract, such as {@code queues/research/jobs/j-4f2}. */
public final class Names {
  /** Stands for all queues in the parent of a list. */
  public static final String ALL_QUEUES = "-";

  /** What an id of a queue, share or job looks like. */
  public static final String ID_RULE = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";

  /** What a node name looks like. */
  public static final String NODE_RULE = "[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?";

  /** What a capacity unit looks like: a GPU model or a MIG profile, such as H100-1g.10gb+me. */
  public static final String UNIT_RULE = "1 to 63 letters, digits, - . _ +, such as H100-1g.10gb";

  private static final Pattern UNIT = Pattern.compile("[A-Za-z0-9][-A-Za-z0-9._+]{0,62}");
  private static final Pattern ID = Pattern.compile(ID_RULE);
  private static final Pattern NODE = Pattern.compile(NODE_RULE);
  private static final Pattern QUEUE = Pattern.compile("queues/([^/]+)");
  private static final Pattern SHARE = Pattern.compile("queues/([^/]+)/shares/([^/]+)");
  private static final Pattern JOB = Pattern.compile("queues/([^/]+)/jobs/([^/]+)");
  private static final Pattern ATTEMPT =
      Pattern.compile("queues/([^/]+)/jobs/([^/]+)/attempts/([1-9][0-9]{0,8})");
  private static final Pattern NODE_NAME = Pattern.compile("nodes/([^/]+)");

  private Names() {}

  /** Whether this may be the id of a queue, share or job. */
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /** Whether this may be the name of a node. */
  public static boolean isNode(String text) {
    return NODE.matcher(text).matches();
  }

  /** Whether this may be a capacity unit. */
  public static boolean isUnit(String text) {
    return UNIT.matcher(text).matches();
  }

  /** Id in {@code queues/{queue}}. */
  public static String queue(String field, String name) {
    Matcher matcher = QUEUE.matcher(name);
    if (!matcher.matches() || !isId(matcher.group(1))) {
      throw malformed(field, name, "queues/{queue}");
    }
    return matcher.group(1);
  }

  /** Id in {@code queues/{queue}}; empty for {@code queues/-}. */
  public static Optional<String> queueOrAll(String field, String name) {
    return name.equals("queues/" + ALL_QUEUES) ? Optional.empty() : Optional.of(queue(field, name));
  }

  /** Key in {@code queues/{queue}/shares/{share}}. */
  public static ShareKey share(String field, String name) {
    Matcher matcher = SHARE.matcher(name);
    if (!matcher.matches() || !isId(matcher.group(1)) || !isId(matcher.group(2))) {
      throw malformed(field, name, "queues/{queue}/shares/{share}");
    }
    return new ShareKey(matcher.group(1), matcher.group(2));
  }

  /** Key in {@code queues/{queue}/jobs/{job}}. */
  public static JobKey job(String field, String name) {
    Matcher matcher = JOB.matcher(name);
    if (!matcher.matches() || !isId(matcher.group(1)) || !isId(matcher.group(2))) {
      throw malformed(field, name, "queues/{queue}/jobs/{job}");
    }
    return new JobKey(matcher.group(1), matcher.group(2));
  }

  /** Key in {@code queues/{queue}/jobs/{job}/attempts/{number}}; empty if it is none. */
  public static Optional<AttemptKey> attempt(String name) {
    Matcher matcher = ATTEMPT.matcher(name);
    if (!matcher.matches() || !isId(matcher.group(1)) || !isId(matcher.group(2))) {
      return Optional.empty();
    }
    JobKey job = new JobKey(matcher.group(1), matcher.group(2));
    return Optional.of(new AttemptKey(job, Integer.parseInt(matcher.group(3))));
  }

  /** Name in {@code nodes/{node}}. */
  public static String node(String field, String name) {
    Matcher matcher = NODE_NAME.matcher(name);
    if (!matcher.matches() || !isNode(matcher.group(1))) {
      throw malformed(field, name, "nodes/{node}");
    }
    return matcher.group(1);
  }

  private static io.grpc.StatusRuntimeException malformed(
      String field, String name, String expected) {
    return Errors.invalid(field, FieldChecks.shown(name) + " (expected: " + expected + ")");
  }
}
