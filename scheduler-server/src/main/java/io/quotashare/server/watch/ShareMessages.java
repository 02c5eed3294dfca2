package io.quotashare.server.watch;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.QueueView;
import io.quotashare.core.QueueView.ShareView;
import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import io.quotashare.server.grpc.Times;
import io.quotashare.server.shares.LastDay;
import io.quotashare.server.view.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Shares in the messages of their watches. What a share suffered in the last day is read from the
 * store, once a queue and batch, and only if somebody is told.
 */
final class ShareMessages {
  private final LastDay lastDay;

  ShareMessages(LastDay lastDay) {
    this.lastDay = requireNonNull(lastDay, "lastDay is null");
  }

  /** Totals of one queue, read when first asked for. */
  private final class Totals {
    private final String queue;
    private LastDay.@Nullable OfQueue read;

    Totals(String queue) {
      this.queue = queue;
    }

    synchronized LastDay.OfQueue get() {
      LastDay.OfQueue known = read;
      if (known == null) {
        known = lastDay.of(queue);
        read = known;
      }
      return known;
    }
  }

  /** Shares whose configuration or use differs between two snapshots, by name. */
  List<ShareLog.Changed> changes(Snapshot before, Snapshot after, long atMillis) {
    List<ShareLog.Changed> changes = new ArrayList<>();
    TreeSet<String> queues = new TreeSet<>(before.queues().keySet());
    queues.addAll(after.queues().keySet());
    for (String queue : queues) {
      QueueView was = before.queues().get(queue);
      QueueView is = after.queues().get(queue);
      if (!Objects.equals(was, is)) {
        addChanges(new Totals(queue), shares(was), shares(is), atMillis, changes);
      }
    }
    return changes;
  }

  private static Map<ShareKey, ShareView> shares(@Nullable QueueView queue) {
    Map<ShareKey, ShareView> shares = new TreeMap<>();
    if (queue != null) {
      queue.shares().forEach(view -> shares.put(view.share().key(), view));
    }
    return shares;
  }

  private static void addChanges(
      Totals totals,
      Map<ShareKey, ShareView> was,
      Map<ShareKey, ShareView> is,
      long atMillis,
      List<ShareLog.Changed> changes) {
    was.keySet().stream()
        .filter(key -> !is.containsKey(key))
        .forEach(
            key ->
                changes.add(new ShareLog.Changed(key, true, rev -> removed(rev, atMillis, key))));
    is.forEach(
        (key, view) -> {
          if (!view.equals(was.get(key))) {
            changes.add(
                new ShareLog.Changed(key, false, rev -> share(rev, atMillis, view, totals.get())));
          }
        });
  }

  /**
   * The present state, a message a share, made as they are asked for. Without a revision: a reader
   * that breaks off has only part of it, and begins again.
   */
  Iterator<WatchQuotaSharesResponse> present(ShareFilter filter, Snapshot snapshot, long atMillis) {
    Map<String, Totals> totals = new HashMap<>();
    return snapshot.queues().values().stream()
        .flatMap(queue -> queue.shares().stream())
        .filter(view -> filter.matches(view.share().key()))
        .map(
            view ->
                share(
                    0,
                    atMillis,
                    view,
                    totals.computeIfAbsent(view.share().key().queue(), Totals::new).get()))
        .iterator();
  }

  static WatchQuotaSharesResponse bookmark(long revision) {
    return WatchQuotaSharesResponse.newBuilder().setRevision(revision).build();
  }

  private static WatchQuotaSharesResponse share(
      long revision, long atMillis, ShareView view, LastDay.OfQueue totals) {
    return WatchQuotaSharesResponse.newBuilder()
        .setRevision(revision)
        .setShare(totals.status(view))
        .setTime(Times.timestamp(atMillis))
        .build();
  }

  private static WatchQuotaSharesResponse removed(long revision, long atMillis, ShareKey share) {
    return WatchQuotaSharesResponse.newBuilder()
        .setRevision(revision)
        .setRemoved(share.toString())
        .setTime(Times.timestamp(atMillis))
        .build();
  }
}
