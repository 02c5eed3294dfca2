package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import io.quotashare.agent.attempt.AttemptName;
import io.quotashare.agent.attempt.RunFolders;
import io.quotashare.agent.supervise.JobOutput;
import io.quotashare.agent.threads.WatchedExecutor;
import io.quotashare.proto.agent.v1.FetchLogs;
import io.quotashare.proto.agent.v1.PushLogsRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads output from the run folders and pushes it as fast as the other side takes it. */
public final class FileOutputPusher implements OutputPusher {
  /** Largest piece. */
  static final int PIECE_BYTES = 64 << 10;

  /** Requests that are answered at one time. */
  static final int PUSHES_MAX = 32;

  private static final long FOLLOW_INTERVAL_MILLIS = 200;
  private static final Logger log = LoggerFactory.getLogger(FileOutputPusher.class);

  private final SchedulerLink link;
  private final RunFolders folders;
  private final Predicate<AttemptName> live;
  private final WatchedExecutor readers;
  private final Set<Push> pushes = ConcurrentHashMap.newKeySet();

  /**
   * A pusher.
   *
   * @param live whether an attempt may still write output; asked on a thread of {@code readers}
   * @param readers one thread on which files are read
   */
  public FileOutputPusher(
      SchedulerLink link,
      RunFolders folders,
      Predicate<AttemptName> live,
      WatchedExecutor readers) {
    this.link = requireNonNull(link, "link is null");
    this.folders = requireNonNull(folders, "folders is null");
    this.live = requireNonNull(live, "live is null");
    this.readers = requireNonNull(readers, "readers is null");
  }

  @Override
  public void push(FetchLogs request) {
    Push push = new Push(request);
    push.open();
  }

  @Override
  public void close() {
    readers.shutdownNow();
  }

  /** One request. Everything in it happens on the reader's thread, but for {@link #open}. */
  private final class Push {
    private final FetchLogs request;
    private Optional<SchedulerLink.LogSink> sink = Optional.empty();
    private Optional<AttemptName> attempt = Optional.empty();
    private long offset;
    private boolean done;
    private boolean waiting;

    Push(FetchLogs request) {
      this.request = request;
      this.offset = Math.max(0, request.getOffset());
    }

    void open() {
      readers.execute(
          () -> {
            sink = Optional.of(link.pushLogs(() -> readers.execute(this::pump)));
            begin();
          });
    }

    private void begin() {
      try {
        attempt = Optional.of(AttemptName.parse(request.getAttempt()));
      } catch (IllegalArgumentException e) {
        fail(e.getMessage());
        return;
      }
      if (pushes.size() >= PUSHES_MAX) {
        fail("the agent answers " + PUSHES_MAX + " requests for output already; try again later");
      } else if (!folders.exists(attempt.get())) {
        fail(
            "there is no output of "
                + attempt.get()
                + " on this node: it never ran here, or it was removed to make room");
      } else {
        pushes.add(this);
        // The stream names its request in its first message, be there output or not.
        send(new JobOutput.Piece(offset, ByteString.EMPTY));
        pump();
      }
    }

    private void pump() {
      if (done || sink.isEmpty() || attempt.isEmpty()) {
        return;
      }
      if (sink.get().isEnded()) {
        finish();
        return;
      }
      try {
        while (sink.get().isReady()) {
          // Asked before the read, so that what was written last is not missed.
          boolean mayGrow = live.test(attempt.get());
          JobOutput.Piece piece =
              new JobOutput(folders.of(attempt.get())).read(offset, PIECE_BYTES);
          if (!piece.data().isEmpty()) {
            send(piece);
          } else if (request.getFollow() && mayGrow) {
            waitForMore();
            return;
          } else {
            complete();
            return;
          }
        }
      } catch (IOException e) {
        fail("the output cannot be read: " + e.getMessage());
      }
    }

    private void waitForMore() {
      if (!waiting) {
        waiting = true;
        readers.after(
            FOLLOW_INTERVAL_MILLIS,
            () -> {
              waiting = false;
              pump();
            });
      }
    }

    private void send(JobOutput.Piece piece) {
      offset = piece.offset() + piece.data().size();
      sink.orElseThrow()
          .send(
              PushLogsRequest.newBuilder()
                  .setRequestId(request.getRequestId())
                  .setOffset(piece.offset())
                  .setData(piece.data())
                  .build());
    }

    private void complete() {
      sink.orElseThrow().complete();
      finish();
    }

    private void fail(String why) {
      log.info("request {} for output: {}", request.getRequestId(), why);
      sink.orElseThrow()
          .send(
              PushLogsRequest.newBuilder()
                  .setRequestId(request.getRequestId())
                  .setOffset(offset)
                  .setError(why)
                  .build());
      sink.orElseThrow().complete();
      finish();
    }

    private void finish() {
      done = true;
      pushes.remove(this);
    }
  }
}
