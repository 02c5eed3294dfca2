package io.quotashare.agent;

import io.quotashare.agent.config.ConfigException;
import io.quotashare.agent.config.ConfigLoader;
import io.quotashare.agent.config.Surroundings;
import io.quotashare.agent.daemon.Launcher;
import io.quotashare.agent.daemon.StartException;
import org.slf4j.bridge.SLF4JBridgeHandler;

/** The node agent. */
public final class Main {
  private static final int USAGE = 2;

  private Main() {}

  /** Runs the agent until it is told to end. */
  public static void main(String[] args) {
    SLF4JBridgeHandler.removeHandlersForRootLogger();
    SLF4JBridgeHandler.install();
    Surroundings surroundings = Surroundings.ofProcess();
    try {
      ConfigLoader.Outcome outcome = ConfigLoader.load(surroundings, args);
      if (outcome instanceof ConfigLoader.Help help) {
        System.out.print(help.text());
      } else if (outcome instanceof ConfigLoader.Run run) {
        Launcher.run(run.config(), surroundings);
      }
    } catch (ConfigException e) {
      e.problems().forEach(problem -> System.err.println("quotashare agent: " + problem));
      System.exit(USAGE);
    } catch (StartException e) {
      System.err.println("quotashare agent: " + e.getMessage());
      System.exit(1);
    }
  }
}
