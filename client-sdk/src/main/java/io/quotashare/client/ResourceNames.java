package io.quotashare.client;

/** Resource names of the API: {@code queues/{queue}/jobs/{job}} and the like. */
public final class ResourceNames {
  /** Stands for all queues in lists and watches. */
  public static final String ALL_QUEUES = "-";

  private ResourceNames() {}

  /** {@code queues/{queue}}. */
  public static String queue(String queue) {
    return "queues/" + id("queue", queue);
  }

  /** {@code queues/{queue}/shares/{share}}. */
  public static String share(String queue, String share) {
    return queue(queue) + "/shares/" + id("share", share);
  }

  /** {@code queues/{queue}/jobs/{job}}. */
  public static String job(String queue, String job) {
    return queue(queue) + "/jobs/" + id("job", job);
  }

  /** {@code nodes/{node}}. */
  public static String node(String node) {
    return "nodes/" + id("node", node);
  }

  /** The part after the last slash: the id of a resource inside its parent. */
  public static String lastId(String name) {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  /** The queue of {@code queues/{queue}/...}; empty if the name is not of that form. */
  public static String queueOf(String name) {
    if (!name.startsWith("queues/")) {
      return "";
    }
    int from = "queues/".length();
    int to = name.indexOf('/', from);
    return to < 0 ? name.substring(from) : name.substring(from, to);
  }

  /** Checks that an id can stand in a resource name. */
  static String id(String field, String value) {
    if (value.isEmpty() || value.indexOf('/') >= 0 || !value.equals(value.strip())) {
      throw new IllegalArgumentException(
          field + ": \"" + value + "\" is not a name, expected text without / and outer blanks");
    }
    return value;
  }
}
