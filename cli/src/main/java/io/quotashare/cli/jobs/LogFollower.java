package io.quotashare.cli.jobs;

import io.quotashare.cli.Session;
import io.quotashare.client.Job;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobState;
import io.quotashare.client.LogOptions;
import io.quotashare.client.LogStream;
import io.quotashare.client.QuotaShareException;
import java.io.IOException;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Copies the output of one attempt after another to standard output, on a thread of its own. */
final class LogFollower implements AutoCloseable {
  /** The output of an attempt that has ended comes with its end: at most this much later. */
  private static final long LAST_OUTPUT_MILLIS = 10_000;

  private static final int STOP = -1;

  private final Session session;
  private final JobHandle handle;
  private final LinkedBlockingQueue<Integer> attempts = new LinkedBlockingQueue<>();
  private final Thread thread;
  private int newest;
  private volatile @Nullable LogStream current;

  LogFollower(Session session, JobHandle handle) {
    this.session = session;
    this.handle = handle;
    this.thread = new Thread(this::copyAll, "quotashare-output");
    thread.setDaemon(true);
    thread.start();
  }

  /** An attempt has output from the moment that it runs, and its end at the latest. */
  void onEvent(JobEvent event) {
    Job job = event.job();
    boolean starting = job.state() == JobState.SCHEDULED || job.state() == JobState.STARTING;
    int withOutput = starting ? job.attemptCount() - 1 : job.attemptCount();
    while (newest < withOutput) {
      newest++;
      attempts.add(newest);
    }
  }

  void finish() throws InterruptedException {
    attempts.add(STOP);
    thread.join(LAST_OUTPUT_MILLIS);
  }

  private void copyAll() {
    try {
      for (int attempt = attempts.take(); attempt != STOP; attempt = attempts.take()) {
        copy(attempt);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void copy(int attempt) {
    try (LogStream stream = handle.logs(LogOptions.newest().ofAttempt(attempt).following())) {
      current = stream;
      stream.copyTo(session.outside().out());
    } catch (QuotaShareException | IOException e) {
      session.note("the output of attempt " + attempt + " cannot be read: " + e.getMessage());
    } finally {
      current = null;
    }
  }

  @Override
  public void close() {
    LogStream open = current;
    if (open != null) {
      open.close();
    }
    thread.interrupt();
  }
}
