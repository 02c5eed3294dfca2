package io.quotashare.server.metrics;

import io.quotashare.server.TestServer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** What a server exposes, taken apart. */
final class Scrapes {
  private static final Pattern TYPE = Pattern.compile("# TYPE (quotashare_[a-z_]+) (\\w+)");
  private static final Pattern SAMPLE =
      Pattern.compile("^(quotashare_[a-z_]+)(?:\\{(.*)\\})? (\\S+)$", Pattern.MULTILINE);
  private static final Pattern LABEL = Pattern.compile("([a-z]+)=\"([^\"]*)\"");

  private Scrapes() {}

  /** The scrape asks the engine, which this thread must step meanwhile. */
  static String of(TestServer server) {
    Metrics metrics = server.instance(Metrics.class);
    CompletableFuture<String> text = CompletableFuture.supplyAsync(metrics::scrape);
    Awaitility.await()
        .atMost(10, TimeUnit.SECONDS)
        .until(
            () -> {
              server.settle();
              return text.isDone();
            });
    return text.join();
  }

  /** Types by name, without the gauges of the largest value that histograms come with. */
  static Map<String, String> types(String scrape) {
    Map<String, String> types = new TreeMap<>();
    Matcher matcher = TYPE.matcher(scrape);
    while (matcher.find()) {
      if (!matcher.group(1).endsWith("_max")) {
        types.put(matcher.group(1), matcher.group(2));
      }
    }
    return types;
  }

  /** Labels of a metric, but for the bucket's. */
  static Set<String> labels(String scrape, String name) {
    Set<String> labels = new TreeSet<>();
    samples(scrape, name).keySet().forEach(l -> labels.addAll(l.keySet()));
    labels.remove("le");
    return labels;
  }

  /** Values that a label takes. */
  static Set<String> values(String scrape, String name, String label) {
    Set<String> values = new TreeSet<>();
    samples(scrape, name).keySet().forEach(l -> values.add(l.getOrDefault(label, "")));
    return values;
  }

  /** Sum over all samples of a name whose labels include these. */
  static double sum(String scrape, String name, Map<String, String> labels) {
    double sum = 0;
    for (Map.Entry<Map<String, String>, Double> sample : samples(scrape, name).entrySet()) {
      if (sample.getKey().entrySet().containsAll(labels.entrySet())) {
        sum += sample.getValue();
      }
    }
    return sum;
  }

  private static Map<Map<String, String>, Double> samples(String scrape, String name) {
    Map<Map<String, String>, Double> samples = new LinkedHashMap<>();
    Set<String> names =
        new LinkedHashSet<>(Set.of(name, name + "_bucket", name + "_count", name + "_sum"));
    Matcher matcher = SAMPLE.matcher(scrape);
    while (matcher.find()) {
      if (names.contains(matcher.group(1))) {
        Map<String, String> labels = new TreeMap<>();
        Matcher label = LABEL.matcher(matcher.group(2) == null ? "" : matcher.group(2));
        while (label.find()) {
          labels.put(label.group(1), label.group(2));
        }
        boolean single = name.equals(matcher.group(1));
        samples.put(labels, single ? Double.parseDouble(matcher.group(3)) : 0);
      }
    }
    return samples;
  }
}
