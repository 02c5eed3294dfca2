package io.quotashare.integration.cluster;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.JobState;
import io.quotashare.client.JobWatch;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.RevisionExpiredException;
import io.quotashare.client.SchedulerUnavailableException;
import io.quotashare.client.WatchOptions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a watch tells, from before the first job to the end of the test. A watch goes on
 * over restarts of the scheduler. Where a scheduler that was killed had told more than it could
 * send, its successor says so, and the watch begins anew with the present state: {@link #gaps}.
 */
public final class EventRecorder {
  private static final Duration AT_MOST = Duration.ofSeconds(60);

  /** What tells a story; the rest comes when it comes. */
  private static final Set<JobEventType> TOLD =
      EnumSet.complementOf(EnumSet.of(JobEventType.UPDATED, JobEventType.WAITING));

  private final QuotaShareClient client;
  private final List<JobEvent> events = new CopyOnWriteArrayList<>();
  private volatile @Nullable QuotaShareException failure;
  private volatile @Nullable JobWatch watch;
  private final AtomicInteger gaps = new AtomicInteger();

  EventRecorder(QuotaShareClient client) {
    this.client = requireNonNull(client, "client is null");
  }

  /** Watches from now on. */
  void start() {
    Thread reader = new Thread(this::watchAndRead, "event-recorder");
    reader.setDaemon(true);
    reader.start();
    Awaitility.await("the watch to be taken up")
        .atMost(AT_MOST)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> watch != null || failure != null);
  }

  private void watchAndRead() {
    long deadlineNanos = System.nanoTime() + AT_MOST.toNanos();
    // A new watch gives up soon where nobody answers; one that begins anew is in no such hurry,
    // since
    // the scheduler may just be starting again.
    while (!watchOnce(gaps.get() > 0 && System.nanoTime() - deadlineNanos < 0)) {}
  }

  /** Whether it is not to be tried again. */
  private boolean watchOnce(boolean patient) {
    try {
      JobWatch opened = client.jobs().watch(WatchOptions.all());
      if (!opened.awaitEstablished(AT_MOST)) {
        throw new AssertionError("the watch is not taken up");
      }
      watch = opened;
      read(opened);
      return true;
    } catch (QuotaShareException e) {
      if (patient && e instanceof SchedulerUnavailableException) {
        return false;
      }
      failure = e;
      return true;
    }
  }

  private void read(JobWatch opened) {
    try {
      opened.forEach(events::add);
    } catch (RevisionExpiredException e) {
      gaps.incrementAndGet();
      watchAndRead();
    } catch (QuotaShareException e) {
      failure = e;
    }
  }

  /** How often the watch had to begin anew. */
  public int gaps() {
    return gaps.get();
  }

  /** All events so far. */
  public List<JobEvent> all() {
    QuotaShareException failed = failure;
    if (failed != null) {
      throw new AssertionError("the watch failed", failed);
    }
    return List.copyOf(events);
  }

  /**
   * What happened so far, one {@code TYPE job} an event, without the reasons for waiting and
   * without progress, which come when they come.
   */
  public List<String> story() {
    return all().stream()
        .filter(event -> TOLD.contains(event.type()))
        .map(event -> event.type() + " " + event.job().id())
        .toList();
  }

  /** Events of one type of one job so far. */
  public List<JobEvent> of(String job, JobEventType type) {
    return all().stream()
        .filter(event -> event.type() == type && event.job().id().equals(job))
        .toList();
  }

  /** Waits until this happened to a job for the first time. */
  public JobEvent await(String job, JobEventType type) {
    return await(job, type, 1);
  }

  /** Waits until this happened to a job this many times; the last of them. */
  public JobEvent await(String job, JobEventType type, int times) {
    return await(
        times + " x " + type + " of " + job,
        event -> event.type() == type && event.job().id().equals(job),
        times);
  }

  /** Waits until a job is seen in this state, in an attempt not before this one. */
  public JobEvent awaitState(String job, JobState state, int attempt) {
    return await(
        job + " in state " + state + " in attempt " + attempt,
        event ->
            event.job().id().equals(job)
                && event.job().state() == state
                && event.job().attemptCount() >= attempt,
        1);
  }

  /** Waits until this many events match; the last of them. */
  public JobEvent await(String what, Predicate<JobEvent> which, int times) {
    return Awaitility.await(what)
        .atMost(AT_MOST)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> all().stream().filter(which).skip(times - 1L).findFirst(), Optional::isPresent)
        .orElseThrow();
  }

  /** One line an event, for people. */
  List<String> lines() {
    return events.stream()
        .map(
            event ->
                event.time()
                    + " "
                    + event.type()
                    + " "
                    + event.job().id()
                    + " "
                    + event.job().state()
                    + " "
                    + event.detail()
                    + (event.job().waiting() == null ? "" : " " + event.job().waiting()))
        .toList();
  }

  void close() {
    JobWatch open = watch;
    if (open != null) {
      open.close();
    }
  }
}
