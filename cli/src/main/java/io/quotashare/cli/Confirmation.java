package io.quotashare.cli;

import io.quotashare.cli.console.Questions;
import java.io.IOException;
import picocli.CommandLine.Option;

/** Asks before something that ends other people's work. */
public final class Confirmation {
  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask. Without a terminal this is needed: there is nobody to ask.")
  private boolean yes;

  /** Whether a question is left to ask. */
  public boolean isOpen() {
    return !yes;
  }

  /**
   * True if the user wants it.
   *
   * @param what a sentence that says what would happen to how many
   * @throws UsageException if there is nobody to ask
   */
  public boolean given(Session session, String what) throws IOException {
    if (yes) {
      return true;
    }
    if (!session.outside().terminals().in()) {
      throw new UsageException(
          what
              + ": there is no terminal to ask at, so repeat the command with --yes if you mean it");
    }
    return Questions.confirmed(session.err(), session.outside().in(), what + ". Go on?");
  }
}
