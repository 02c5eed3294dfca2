package io.quotashare.cli;

import picocli.CommandLine.Option;

/** The option that every command has. */
abstract class HasHelp {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help and exit.")
  @SuppressWarnings("UnusedVariable") // picocli acts on the annotation.
  private boolean help;
}
