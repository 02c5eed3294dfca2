package io.quotashare.integration.cluster;

import io.quotashare.client.JobSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** The training jobs of a cluster: made, told to save or finish, and asked what they did. */
public final class Training {
  private static final Duration AT_MOST = Duration.ofSeconds(60);

  private final Path folder;

  Training(Path folder) {
    this.folder = folder;
    try {
      Files.createDirectories(folder.resolve("history"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The command of a training job.
   *
   * @param options of {@code jobs/train.py}
   */
  public List<String> command(String... options) {
    List<String> command = new ArrayList<>();
    command.add("python3");
    command.add(Installation.trainingScript().toString());
    command.add(folder.toString());
    command.addAll(Arrays.asList(options));
    return command;
  }

  /** A training job that saves when asked; its shape is still to be given. */
  public JobSpec.Builder job(String queue, String share, String... options) {
    return JobSpec.builder(queue, share).command(command(options)).onDemandCheckpoint();
  }

  /** Lets a job finish, now and in every later attempt. */
  public void finish(String job) {
    tell("finish", job);
  }

  /** Lets a job that holds its save back save. */
  public void allowSave(String job) {
    tell("save", job);
  }

  private void tell(String word, String job) {
    try {
      Files.createFile(folder.resolve(word + "." + job));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that all jobs did, by job, attempt and rank. */
  public List<AttemptHistory> history() {
    try (Stream<Path> files = Files.list(folder.resolve("history"))) {
      return files
          .map(Training::read)
          .filter(attempt -> !attempt.lines().isEmpty())
          .sorted(
              Comparator.comparing(AttemptHistory::job)
                  .thenComparing(AttemptHistory::attempt)
                  .thenComparing(AttemptHistory::rank))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What one attempt did on the node of rank 0. It must have begun. */
  public AttemptHistory history(String job, int attempt) {
    return history(job, attempt, 0);
  }

  /** What one attempt did on one node. It must have begun. */
  public AttemptHistory history(String job, int attempt, int rank) {
    return history().stream()
        .filter(h -> h.job().equals(job) && h.attempt() == attempt && h.rank() == rank)
        .findFirst()
        .orElseThrow(
            () -> new AssertionError(job + " attempt " + attempt + " rank " + rank + " never ran"));
  }

  /** Waits until an attempt has finished this many steps of its own. */
  public void awaitSteps(String job, int attempt, int steps) {
    Awaitility.await(steps + " steps of " + job + " attempt " + attempt)
        .atMost(AT_MOST)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(
            () -> {
              AttemptHistory history = history(job, attempt);
              if (history.lastStep() - history.firstStep() < steps) {
                throw new AssertionError("at step " + history.lastStep());
              }
            });
  }

  /** Waits until an attempt writes a line that begins with this word. */
  public void awaitWord(String job, int attempt, String word) {
    Awaitility.await(job + " attempt " + attempt + " to be " + word)
        .atMost(AT_MOST)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () ->
                history().stream()
                    .filter(h -> h.job().equals(job) && h.attempt() == attempt)
                    .flatMap(h -> h.lines().stream())
                    .anyMatch(line -> line.startsWith(word + " ")));
  }

  /** The first and last lines of every attempt, for people. */
  String report() {
    StringBuilder text = new StringBuilder();
    for (AttemptHistory attempt : history()) {
      text.append(attempt.lines().get(0)).append('\n');
      text.append("  … ").append(attempt.lines().get(attempt.lines().size() - 1)).append('\n');
    }
    return text.toString();
  }

  /** A last line that is still being written is left out. */
  private static AttemptHistory read(Path file) {
    String[] name = file.getFileName().toString().split("\\.");
    try {
      String text = Files.readString(file);
      return new AttemptHistory(
          name[0],
          Integer.parseInt(name[1]),
          Integer.parseInt(name[2]),
          text.substring(0, text.lastIndexOf('\n') + 1).lines().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
