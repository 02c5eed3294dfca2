package io.quotashare.integration.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one attempt did on one node, in its own words: the file that the job itself wrote, without
 * an agent or a scheduler in between.
 *
 * @param job job id
 * @param attempt number of the attempt
 * @param rank rank of the node
 * @param lines what it wrote, see {@code jobs/train.py}
 */
public record AttemptHistory(String job, int attempt, int rank, List<String> lines) {
  /** Copies the lines. */
  public AttemptHistory {
    lines = List.copyOf(lines);
  }

  /** How many processes began to work on it. */
  public long starts() {
    return lines.stream().filter(line -> line.startsWith("start ")).count();
  }

  /** A fact of its first line. */
  public String fact(String key) {
    String value = facts(lines.get(0)).get(key);
    if (value == null) {
      throw new AssertionError(key + " is not in: " + lines.get(0));
    }
    return value;
  }

  /** Its process. */
  public long pid() {
    return Long.parseLong(fact("pid"));
  }

  /** The step after which it went on; 0 if it began from nothing. */
  public long firstStep() {
    return Long.parseLong(fact("from"));
  }

  /** The last step that it finished. */
  public long lastStep() {
    return lines.stream()
        .filter(line -> line.startsWith("step "))
        .mapToLong(line -> Long.parseLong(facts(line).getOrDefault("n", "")))
        .max()
        .orElse(firstStep());
  }

  /** The step of its last checkpoint, if it made one. */
  public Optional<Long> savedStep() {
    return lines.stream()
        .filter(line -> line.startsWith("saved "))
        .map(line -> Long.parseLong(facts(line).getOrDefault("step", "")))
        .max(Long::compare);
  }

  /** When it began, in seconds since 1970. */
  public double beganAt() {
    return time(lines.get(0));
  }

  /** When it wrote its last line, in seconds since 1970. */
  public double lastSeenAt() {
    return time(lines.get(lines.size() - 1));
  }

  /** The first word of its last line. */
  public String lastWord() {
    String last = lines.get(lines.size() - 1);
    return last.substring(0, last.indexOf(' '));
  }

  /** What it wrote, as it stands on its standard output too. */
  public String text() {
    return String.join("\n", lines) + "\n";
  }

  private static double time(String line) {
    return Double.parseDouble(facts(line).getOrDefault("t", ""));
  }

  private static Map<String, String> facts(String line) {
    Map<String, String> facts = new HashMap<>();
    for (String word : line.split(" ")) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        facts.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return facts;
  }
}
