package io.quotashare.cli;

import io.quotashare.cli.console.Outside;

/** Starts the {@code quotashare} command. */
public final class Main {
  private Main() {}

  /** Ends with one of {@link ExitCode}. */
  public static void main(String[] args) {
    System.exit(Cli.run(Outside.ofProcess(), args));
  }
}
