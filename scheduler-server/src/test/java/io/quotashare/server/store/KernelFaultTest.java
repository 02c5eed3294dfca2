package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.quotashare.core.Change;
import io.quotashare.server.store.StoreUnavailableException.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults that the kernel itself reports: a device without room, a flush that fails. Needs root, or
 * strace; says so and is skipped where they are missing.
 */
class KernelFaultTest {
  @TempDir Path folder;

  /** Exit code of a command; negative if there is no such program. */
  private int run(List<String> command, Path output) throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(folder.resolve("stderr.txt").toFile())
              .start();
      try {
        return process.waitFor(90, TimeUnit.SECONDS) ? process.exitValue() : -2;
      } finally {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return -1;
    }
  }

  private int run(String... command) throws InterruptedException {
    return run(List.of(command), folder.resolve("stdout.txt"));
  }

  /** Reliability D1. */
  @Test
  void goesOnWhenTheDeviceHasRoomAgain() throws Exception {
    String device = Files.createDirectory(folder.resolve("device")).toString();
    assumeThat(run("mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", device))
        .as("exit code of mount (needs root)")
        .isZero();
    try (StateStore store =
        SqlStateStore.openSqlite(Path.of(device, "data"), StoreLimits.DEFAULT)) {
      long epoch = store.takeEpoch();
      long full = commitUntilFull(store, epoch);
      KillTest.assertHoldsExactly(store, full - 1);

      assertThat(run("mount", "-o", "remount,size=20m", device)).isZero();
      store.commit(CommitLoop.batch(epoch, full));

      KillTest.assertHoldsExactly(store, full);
    } finally {
      run("umount", device);
    }
  }

  private static long commitUntilFull(StateStore store, long epoch) {
    for (long revision = 1; revision < 1000; revision++) {
      CommitBatch batch = CommitLoop.batch(epoch, revision);
      try {
        store.commit(batch);
      } catch (StoreUnavailableException e) {
        assertThat(e.reason()).isEqualTo(Reason.FULL);
        assertThat(store.lastCommit().revision()).isEqualTo(revision - 1);
        assertThatThrownBy(() -> store.commit(batch)).isInstanceOf(StoreUnavailableException.class);
        return revision;
      }
    }
    throw new AssertionError("the device never filled up");
  }

  /** Reliability D2: never tried again, and what was acknowledged before is there. */
  @Test
  void stopsAtAFlushThatFails() throws Exception {
    assumeThat(run("strace", "-qq", "-o", folder.resolve("probe").toString(), "true"))
        .as("exit code of strace")
        .isZero();
    Path data = folder.resolve("data");
    Path output = folder.resolve("acknowledged.txt");

    int exitCode =
        run(
            List.of(
                "strace",
                "-f",
                "-qq",
                "-o",
                folder.resolve("trace").toString(),
                "-e",
                "trace=fdatasync,fsync",
                "-e",
                "inject=fdatasync,fsync:error=EIO:when=60+",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                KillTest.classPath(),
                CommitLoop.class.getName(),
                data.toString()),
            output);

    String errors = Files.readString(folder.resolve("stderr.txt"));
    assertThat(exitCode).as(errors).isEqualTo(1);
    assertThat(errors).contains("StoreFailedException", "SQLITE_IOERR_FSYNC");
    long acknowledged =
        Files.readAllLines(output).stream()
            .filter(line -> line.matches("\\d+"))
            .mapToLong(Long::parseLong)
            .max()
            .orElseThrow();
    try (StateStore store = SqlStateStore.openSqlite(data, StoreLimits.DEFAULT)) {
      store.takeEpoch();
      long found = store.lastCommit().revision();
      assertThat(found).isBetween(acknowledged, acknowledged + 1);
      KillTest.assertHoldsExactly(store, found);
      List<Change> none = List.of();
      store.commit(new CommitBatch(2, found + 1, found + 1, none, List.of(), List.of()));
    }
  }
}
