package io.quotashare.client.fake;

import com.google.protobuf.Timestamp;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The changes of the fake's shares and who watches them. */
public final class FakeShares {
  /** Revision before the first event: never 0, which means "no revision" in a request. */
  private static final long FIRST_REVISION = 500;

  private record Watcher(
      WatchQuotaSharesRequest request, StreamObserver<WatchQuotaSharesResponse> to) {}

  private final FakeQueues queues;
  private final List<WatchQuotaSharesResponse> log = new ArrayList<>();
  private final List<Watcher> watchers = new ArrayList<>();
  private long oldestKept;

  FakeShares(FakeQueues queues) {
    this.queues = queues;
  }

  /** Puts a share into its queue, which must exist, and tells the watchers. */
  public synchronized void set(QuotaShareStatus status) {
    queues.setShare(status.getShare().getName(), Optional.of(status));
    append(next().setShare(status).build());
  }

  /** Removes a share and tells the watchers. */
  public synchronized void remove(String name) {
    queues.setShare(name, Optional.empty());
    append(next().setRemoved(name).build());
  }

  /** Forgets the events so far. */
  public synchronized void compact() {
    oldestKept = lastRevision() + 1;
  }

  /** Number of watchers that are connected. */
  public synchronized int watchers() {
    return watchers.size();
  }

  /** Revision of the newest event. */
  public synchronized long lastRevision() {
    return FIRST_REVISION + log.size();
  }

  synchronized void watch(
      WatchQuotaSharesRequest request, StreamObserver<WatchQuotaSharesResponse> to) {
    if (request.getRevision() > 0 && request.getRevision() + 1 < oldestKept) {
      to.onError(
          FakeScheduler.failure(
              Status.Code.OUT_OF_RANGE,
              "revision " + request.getRevision() + " is no longer kept: list again",
              "REVISION_EXPIRED"));
      return;
    }
    Watcher watcher = new Watcher(request, to);
    if (request.getRevision() == 0) {
      queues.shares().stream()
          .map(s -> at(lastRevision()).setShare(s).build())
          .filter(r -> wants(watcher, r))
          .forEach(to::onNext);
      to.onNext(WatchQuotaSharesResponse.newBuilder().setRevision(lastRevision()).build());
    } else {
      log.stream()
          .filter(r -> r.getRevision() > request.getRevision() && wants(watcher, r))
          .forEach(to::onNext);
    }
    watchers.add(watcher);
  }

  synchronized void unwatch(StreamObserver<WatchQuotaSharesResponse> to) {
    watchers.removeIf(w -> w.to == to);
  }

  synchronized void dropWatchers() {
    watchers.clear();
  }

  private WatchQuotaSharesResponse.Builder next() {
    return at(lastRevision() + 1);
  }

  private static WatchQuotaSharesResponse.Builder at(long revision) {
    return WatchQuotaSharesResponse.newBuilder()
        .setRevision(revision)
        .setTime(
            Timestamp.newBuilder().setSeconds(FakeJobs.EPOCH_SECOND + revision - FIRST_REVISION));
  }

  private void append(WatchQuotaSharesResponse response) {
    log.add(response);
    watchers.stream().filter(w -> wants(w, response)).forEach(w -> w.to.onNext(response));
  }

  private static boolean wants(Watcher watcher, WatchQuotaSharesResponse response) {
    String name =
        response.hasShare() ? response.getShare().getShare().getName() : response.getRemoved();
    return watcher.request.getParent().equals("queues/-")
        || name.startsWith(watcher.request.getParent() + "/");
  }
}
