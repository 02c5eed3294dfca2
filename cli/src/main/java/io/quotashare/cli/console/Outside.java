package io.quotashare.cli.console;

import static java.util.Objects.requireNonNull;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * Everything that a command sees of the outside.
 *
 * @param out data
 * @param err everything else
 * @param in answers of the user
 * @param terminals which of the three is a terminal
 * @param variables environment variables
 * @param clock the time of now
 * @param clients makes clients
 * @param interrupts Ctrl-C
 * @param pauses waits between two looks
 */
public record Outside(
    OutputStream out,
    OutputStream err,
    InputStream in,
    Terminals terminals,
    Map<String, String> variables,
    Clock clock,
    ClientSource clients,
    Interrupts interrupts,
    Pauses pauses) {

  /** Checks that nothing is null. */
  public Outside {
    requireNonNull(out, "out");
    requireNonNull(err, "err");
    requireNonNull(in, "in");
    requireNonNull(terminals, "terminals");
    variables = Map.copyOf(variables);
    requireNonNull(clock, "clock");
    requireNonNull(clients, "clients");
    requireNonNull(interrupts, "interrupts");
    requireNonNull(pauses, "pauses");
  }

  /** Waits between two looks at the same thing. */
  @FunctionalInterface
  public interface Pauses {
    /** Waits so many milliseconds, or until the thread is interrupted. */
    void pause(long millis) throws InterruptedException;
  }

  /**
   * Which standard streams are terminals.
   *
   * @param out standard output
   * @param err standard error
   * @param in standard input
   */
  public record Terminals(boolean out, boolean err, boolean in) {}

  /** The real one. */
  public static Outside ofProcess() {
    return new Outside(
        new FileOutputStream(FileDescriptor.out),
        new FileOutputStream(FileDescriptor.err),
        new FileInputStream(FileDescriptor.in),
        new Terminals(isTerminal(1), isTerminal(2), isTerminal(0)),
        System.getenv(),
        Clock.systemUTC(),
        ClientSource.overTcp(),
        Interrupts.ofSystem(),
        Thread::sleep);
  }

  /** The JDK knows only whether all three streams are one; Linux tells it for each. */
  private static boolean isTerminal(int descriptor) {
    try {
      String target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      // Not Linux: no colours and no questions are the safe answer.
      return false;
    }
  }
}
