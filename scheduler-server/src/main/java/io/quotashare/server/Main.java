package io.quotashare.server;

import io.quotashare.server.config.CommandLine;
import io.quotashare.server.config.ConfigException;
import io.quotashare.server.config.ServerConfig;
import io.quotashare.server.engine.FatalEngineException;
import io.quotashare.server.grpc.ListenException;
import io.quotashare.server.store.StoreException;
import java.io.PrintStream;
import java.util.List;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The scheduler's program. */
public final class Main {
  private static final int FAILED = 1;
  private static final int BAD_USAGE = 2;

  private Main() {}

  /** Exits 0 after a stop, 1 if the scheduler cannot start or go on, 2 on bad usage. */
  public static void main(String[] args) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    int status = run(List.of(args), System.out, System.err);
    System.exit(status);
  }

  static int run(List<String> args, PrintStream out, PrintStream err) {
    try {
      ServerConfig config = CommandLine.parse(args);
      if (config == null) {
        out.print(CommandLine.usage());
        return 0;
      }
      QuotaShareServer server = QuotaShareServer.start(config);
      stopOnSignal(server);
      out.println("quotashare server is ready: " + server.summary());
      out.flush();
      FatalEngineException why = server.fatal().join();
      err.println("quotashare server: " + why.getMessage());
      server.close();
      return FAILED;
    } catch (ConfigException e) {
      e.problems().forEach(problem -> err.println("quotashare server: " + problem));
      return BAD_USAGE;
    } catch (ListenException | StoreException | FatalEngineException e) {
      err.println("quotashare server: " + e.getMessage());
      return FAILED;
    }
  }

  /** The shutdown hook ends the process itself, so that a stop by signal is a success. */
  private static void stopOnSignal(QuotaShareServer server) {
    Thread hook =
        new Thread(
            () -> {
              server.close();
              if (!server.fatal().isDone()) {
                Runtime.getRuntime().halt(0);
              }
            },
            "stop");
    Runtime.getRuntime().addShutdownHook(hook);
  }
}
