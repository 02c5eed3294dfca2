package io.quotashare.agent.supervise;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A process and not a later one with the same id. Good within one boot of the host.
 *
 * @param pid process id, above 0
 * @param startTicks start time in clock ticks since boot, field 22 of {@code /proc/PID/stat}
 */
public record ProcessIdentity(int pid, long startTicks) {
  private static final int PARENT = 1;
  private static final int START_TICKS = 19;

  /** Checks the range. */
  public ProcessIdentity {
    if (pid <= 0) {
      throw new IllegalArgumentException("pid: " + pid + " (expected: > 0)");
    }
  }

  /** Whether this very process is there. One that has ended and waits for its parent is not. */
  public boolean alive() {
    return stat(pid)
        .filter(s -> s.startTicks == startTicks && s.state != 'Z' && s.state != 'X')
        .isPresent();
  }

  /** Id of the parent of a process, if the process is there. */
  static Optional<Integer> parentOf(int pid) {
    return stat(pid).map(Stat::parent);
  }

  private record Stat(char state, int parent, long startTicks) {}

  private static Optional<Stat> stat(int pid) {
    String text;
    try {
      // The name of a process is bytes of its own choice.
      text = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
    } catch (IOException gone) {
      return Optional.empty();
    }
    int afterName = text.lastIndexOf(')');
    String[] fields = text.substring(afterName + 1).strip().split(" ");
    if (afterName < 0 || fields.length <= START_TICKS) {
      return Optional.empty();
    }
    return Optional.of(
        new Stat(
            fields[0].charAt(0),
            Integer.parseInt(fields[PARENT]),
            Long.parseLong(fields[START_TICKS])));
  }
}
