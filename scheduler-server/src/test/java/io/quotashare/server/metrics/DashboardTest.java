package io.quotashare.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The dashboard that ships asks only for metrics and labels that exist. */
class DashboardTest {
  private static final Path FILE = Path.of("..", "deploy", "grafana", "quotashare.json");
  private static final Pattern METRIC = Pattern.compile("(quotashare_[a-z_]+)(?:\\{([^}]*)\\})?");
  private static final Pattern MATCHER = Pattern.compile("([a-z]+)(?:=~|!~|!=|=)\"");
  private static final Pattern BY = Pattern.compile("by \\(([^)]*)\\)");

  private static JsonNode dashboard;

  @BeforeAll
  static void read() throws IOException {
    dashboard = new ObjectMapper().readTree(FILE.toFile());
  }

  private static List<String> queries() {
    List<String> queries = new ArrayList<>();
    dashboard.findValues("expr").forEach(e -> queries.add(e.asText()));
    dashboard
        .path("templating")
        .path("list")
        .forEach(v -> queries.add(v.path("query").path("query").asText()));
    return queries.stream().filter(q -> q.contains("quotashare")).toList();
  }

  private static String base(String name, Map<String, MetricsPage.Documented> page) {
    for (String suffix : List.of("_bucket", "_count", "_sum")) {
      String base = name.replaceAll(suffix + "$", "");
      if (!base.equals(name) && page.containsKey(base)) {
        assertThat(page.get(base).type()).as(name).isEqualTo("histogram");
        return base;
      }
    }
    return name;
  }

  @Test
  void everyQueryAsksForWhatExists() {
    Map<String, MetricsPage.Documented> page = MetricsPage.read();
    assertThat(queries()).hasSizeGreaterThan(15);
    for (String query : queries()) {
      Set<String> labels = new HashSet<>(Set.of("le"));
      Matcher metric = METRIC.matcher(query);
      while (metric.find()) {
        String name = base(metric.group(1), page);
        assertThat(page).as(query).containsKey(name);
        labels.addAll(page.get(name).labels());
        Matcher matcher = MATCHER.matcher(metric.group(2) == null ? "" : metric.group(2));
        while (matcher.find()) {
          assertThat(page.get(name).labels()).as(query).contains(matcher.group(1));
        }
      }
      Matcher by = BY.matcher(query);
      while (by.find()) {
        assertThat(labels).as(query).containsAll(Set.of(by.group(1).split(", *")));
      }
    }
  }

  @Test
  void everyMetricIsOnIt() {
    Map<String, MetricsPage.Documented> page = MetricsPage.read();
    Set<String> used = new TreeSet<>();
    for (String query : queries()) {
      Matcher metric = METRIC.matcher(query);
      while (metric.find()) {
        used.add(base(metric.group(1), page));
      }
    }
    assertThat(used).isEqualTo(page.keySet());
  }

  @Test
  void panelsHaveIdsOfTheirOwnAndDoNotOverlap() {
    Set<Integer> ids = new HashSet<>();
    Set<String> cells = new HashSet<>();
    for (JsonNode panel : dashboard.path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).as(panel.path("title").asText()).isTrue();
      JsonNode at = panel.path("gridPos");
      for (int x = at.path("x").asInt(); x < at.path("x").asInt() + at.path("w").asInt(); x++) {
        for (int y = at.path("y").asInt(); y < at.path("y").asInt() + at.path("h").asInt(); y++) {
          assertThat(x).isLessThan(24);
          assertThat(cells.add(x + "/" + y)).as(panel.path("title").asText()).isTrue();
        }
      }
    }
  }
}
