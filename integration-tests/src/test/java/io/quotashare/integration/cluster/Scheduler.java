package io.quotashare.integration.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;

/** The scheduler of a cluster: always the same data folder and ports, however often it starts. */
public final class Scheduler {
  private static final Duration START_AT_MOST = Duration.ofSeconds(60);
  private static final Duration HTTP_TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(HTTP_TIMEOUT).build();
  private final int port = Ports.free();
  private final int agentPort = Ports.free();
  private final int adminPort = Ports.free();
  private final int httpPort = Ports.free();
  private final Daemon daemon;

  /**
   * A scheduler that does not run yet.
   *
   * @param folder for its data and its configuration
   * @param settings keys of the configuration file with their values
   */
  Scheduler(Path folder, Path output, Map<String, String> settings) {
    Path config = folder.resolve("server.yaml");
    write(config, settings);
    List<String> command =
        Installation.launcher(
            "server",
            "--dev",
            "--data=" + folder.resolve("data"),
            "--listen=127.0.0.1:" + port,
            "--agent-listen=127.0.0.1:" + agentPort,
            "--admin-listen=127.0.0.1:" + adminPort,
            "--http-listen=127.0.0.1:" + httpPort,
            "--config=" + config);
    daemon = new Daemon("scheduler", command, Installation.environment(), output);
  }

  /** Starts it, and waits until changes can be made durable. */
  public void start() {
    daemon.start();
    Awaitility.await("the scheduler to be ready")
        .atMost(START_AT_MOST)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              daemon.checkAlive();
              return isReady();
            });
  }

  /** SIGKILL, then a start on the same data. */
  public void killAndRestart() {
    daemon.kill();
    start();
  }

  /** Its process. */
  public Daemon daemon() {
    return daemon;
  }

  /** Address of the public API, {@code host:port}. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** Address of the operators' API. */
  public String adminAddress() {
    return "127.0.0.1:" + adminPort;
  }

  String agentAddress() {
    return "127.0.0.1:" + agentPort;
  }

  /** What it answers to {@code GET /metrics}. */
  public String scrape() {
    try {
      HttpResponse<String> answer = get("/metrics");
      if (answer.statusCode() != 200) {
        throw new AssertionError("/metrics: " + answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isReady() {
    try {
      return get("/readyz").statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private HttpResponse<String> get(String path) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + httpPort + path))
            .timeout(HTTP_TIMEOUT)
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Dotted keys become sections. */
  private static void write(Path file, Map<String, String> settings) {
    Map<String, StringBuilder> sections = new TreeMap<>();
    settings.forEach(
        (path, value) -> {
          int dot = path.indexOf('.');
          sections
              .computeIfAbsent(path.substring(0, dot), section -> new StringBuilder())
              .append("  ")
              .append(path.substring(dot + 1))
              .append(": ")
              .append(value)
              .append('\n');
        });
    StringBuilder text = new StringBuilder();
    sections.forEach((section, lines) -> text.append(section).append(":\n").append(lines));
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
