package io.quotashare.server.metrics;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of docs/metrics.md. */
final class MetricsPage {
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| `(quotashare_[a-z_]+)` \\| (\\w+) \\| ([^|]+) \\|([^|]*)\\|", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("`([a-z]+)`");

  /** A row of it. */
  record Documented(String type, String unit, Set<String> labels) {}

  private MetricsPage() {}

  static Map<String, Documented> read() {
    Map<String, Documented> rows = new TreeMap<>();
    Matcher row = ROW.matcher(text());
    while (row.find()) {
      Set<String> labels = new TreeSet<>();
      Matcher label = LABEL.matcher(row.group(4));
      while (label.find()) {
        labels.add(label.group(1));
      }
      rows.put(row.group(1), new Documented(row.group(2), row.group(3).strip(), labels));
    }
    return rows;
  }

  private static String text() {
    try {
      return Files.readString(Path.of("..", "docs", "metrics.md"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
