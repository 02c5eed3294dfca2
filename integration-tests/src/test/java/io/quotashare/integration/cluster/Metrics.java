package io.quotashare.integration.cluster;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a scrape of {@code /metrics} says. */
public final class Metrics {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? ([-+0-9.eE]+|NaN|[+-]Inf)");
  private static final Pattern LABEL = Pattern.compile("([a-zA-Z_]+)=\"([^\"]*)\"");

  private record Sample(String name, Map<String, String> labels) {}

  private final Map<Sample, Double> samples = new LinkedHashMap<>();

  private Metrics(String text) {
    text.lines().filter(line -> !line.startsWith("#") && !line.isBlank()).forEach(this::add);
  }

  /** Reads them now. */
  public static Metrics of(Cluster cluster) {
    return new Metrics(cluster.scheduler().scrape());
  }

  private void add(String line) {
    Matcher matcher = SAMPLE.matcher(line);
    if (!matcher.matches()) {
      throw new AssertionError("not a sample: " + line);
    }
    Map<String, String> labels = new TreeMap<>();
    if (matcher.group(2) != null) {
      Matcher label = LABEL.matcher(matcher.group(2));
      while (label.find()) {
        labels.put(label.group(1), label.group(2));
      }
    }
    samples.put(
        new Sample(matcher.group(1), labels),
        Double.parseDouble(matcher.group(3).replace("Inf", "Infinity")));
  }

  /** Names of all samples. */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    samples.keySet().forEach(sample -> names.add(sample.name()));
    return names;
  }

  /** The sum of all samples of this name that carry these labels; at least one must. */
  public double sum(String name, Map<String, String> labels) {
    double sum = 0;
    boolean found = false;
    for (Map.Entry<Sample, Double> entry : samples.entrySet()) {
      boolean matches =
          entry.getKey().name().equals(name)
              && entry.getKey().labels().entrySet().containsAll(labels.entrySet());
      if (matches) {
        found = true;
        sum += entry.getValue();
      }
    }
    if (!found) {
      throw new AssertionError("no " + name + labels + " among " + samples.keySet());
    }
    return sum;
  }
}
