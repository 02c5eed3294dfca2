package io.quotashare.cli;

import io.quotashare.cli.console.Outside;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * Runs the command lines of standard input, one after the other, in one process. The launcher does
 * so once a build, to learn which classes commands load; what they say matters to nobody.
 */
final class Rehearsal {
  private Rehearsal() {}

  /** Goes on after a command that fails: its classes are wanted, too. */
  public static void main(String[] args) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      String line = lines.readLine();
      while (line != null) {
        Cli.run(Outside.ofProcess(), line.split(" "));
        line = lines.readLine();
      }
    }
    System.exit(ExitCode.OK);
  }
}
