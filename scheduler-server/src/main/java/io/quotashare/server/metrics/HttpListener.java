package io.quotashare.server.metrics;

import static java.util.Objects.requireNonNull;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.quotashare.server.config.ConfigKeys;
import io.quotashare.server.config.ListenAddress;
import io.quotashare.server.engine.Engine;
import io.quotashare.server.engine.EngineException;
import io.quotashare.server.grpc.ListenException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves {@code /metrics}, {@code /healthz} (the process lives) and {@code /readyz} (changes can be
 * made durable).
 */
public final class HttpListener {
  private static final int MAX_THREADS = 4;
  private static final int MAX_WAITING = 64;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

  private final ListenAddress address;
  private final Metrics metrics;
  private final Engine engine;
  private final ThreadPoolExecutor executor;
  private @Nullable HttpServer server;

  public HttpListener(ListenAddress address, Metrics metrics, Engine engine) {
    this.address = requireNonNull(address, "address is null");
    this.metrics = requireNonNull(metrics, "metrics is null");
    this.engine = requireNonNull(engine, "engine is null");
    // When all are busy the thread that accepts does the work itself, and so accepts no more.
    this.executor =
        new ThreadPoolExecutor(
            MAX_THREADS,
            MAX_THREADS,
            10,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            task -> new Thread(task, "http"),
            new ThreadPoolExecutor.CallerRunsPolicy());
    executor.allowCoreThreadTimeOut(true);
  }

  private record Answer(int status, String type, String body) {}

  /**
   * Begins to listen.
   *
   * @throws ListenException if the address cannot be had
   */
  public void start() {
    HttpServer http;
    try {
      http = HttpServer.create(address.toSocketAddress(), MAX_WAITING);
    } catch (IOException e) {
      throw new ListenException(ConfigKeys.HTTP_LISTEN, address, e);
    }
    serve(http, "/metrics", () -> new Answer(200, PROMETHEUS, metrics.scrape()));
    serve(http, "/healthz", () -> new Answer(200, TEXT, "ok\n"));
    serve(http, "/readyz", this::readiness);
    http.setExecutor(executor);
    http.start();
    server = http;
  }

  private Answer readiness() {
    EngineException trouble = engine.storeTrouble();
    return trouble == null
        ? new Answer(200, TEXT, "ok\n")
        : new Answer(503, TEXT, "not ready for changes: " + trouble.getMessage() + "\n");
  }

  /** Where it listens, with the port that was taken. */
  public ListenAddress address() {
    return address.withPort(requireNonNull(server, "not started").getAddress().getPort());
  }

  /** Ends what runs and listens no more. */
  public void stop() {
    if (server != null) {
      server.stop(0);
    }
    executor.shutdownNow();
  }

  private static void serve(HttpServer http, String path, Supplier<Answer> how) {
    http.createContext(path, exchange -> answer(exchange, path, how));
  }

  private static void answer(HttpExchange exchange, String path, Supplier<Answer> how)
      throws IOException {
    try (exchange) {
      Answer answer = answer(exchange.getRequestMethod(), exchange, path, how);
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      boolean head = exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
      if (!head) {
        try (OutputStream out = exchange.getResponseBody()) {
          out.write(body);
        }
      }
    }
  }

  private static Answer answer(
      String method, HttpExchange exchange, String path, Supplier<Answer> how) {
    // A context also gets what lies below its path.
    if (!exchange.getRequestURI().getPath().equals(path)) {
      return new Answer(404, TEXT, "not found\n");
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return new Answer(405, TEXT, method + " (expected: GET)\n");
    }
    return how.get();
  }
}
