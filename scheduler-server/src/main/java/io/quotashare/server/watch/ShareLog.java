package io.quotashare.server.watch;

import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The newest change of every share: an older one of the same share is forgotten, and nobody misses
 * it who is told the newer. So it is as large as there are shares, and a bounded number of shares
 * that were removed.
 */
final class ShareLog implements WatchLog<ShareKey, WatchQuotaSharesResponse> {
  /**
   * A share that changed.
   *
   * @param key the share
   * @param gone whether it was removed
   * @param message tells it, given the revision
   */
  record Changed(ShareKey key, boolean gone, LongFunction<WatchQuotaSharesResponse> message) {}

  private final int maxRemoved;
  private final TreeMap<Long, Entry<ShareKey, WatchQuotaSharesResponse>> byPlace = new TreeMap<>();
  private final Map<ShareKey, Long> placeOf = new HashMap<>();

  /** Places of shares that were removed, oldest first; some may have been made anew since. */
  private final Deque<Long> removed = new ArrayDeque<>();

  private long nextPlace;
  private long floorPlace;
  private long floorRevision;
  private long latestRevision;

  /**
   * @param maxRemoved removed shares that are remembered
   * @param batch newest batch when the log begins: what was before cannot be resumed from
   */
  ShareLog(int maxRemoved, long batch) {
    this.maxRemoved = maxRemoved;
    this.floorRevision = WatchRevisions.endOf(batch);
    this.latestRevision = floorRevision;
  }

  void append(long batch, List<Changed> changes) {
    for (int i = 0; i < changes.size(); i++) {
      Changed change = changes.get(i);
      long revision = WatchRevisions.ofEvent(batch, i, changes.size());
      Long before = placeOf.put(change.key(), nextPlace);
      if (before != null) {
        byPlace.remove(before);
      }
      byPlace.put(
          nextPlace,
          new Entry<>(nextPlace, revision, change.key(), () -> change.message().apply(revision)));
      if (change.gone()) {
        removed.add(nextPlace);
      }
      nextPlace++;
    }
    while (removed.size() > maxRemoved) {
      forget(removed.remove());
    }
    latestRevision = WatchRevisions.endOf(batch);
  }

  /** Forgets that a share was removed, unless it has been made anew. */
  private void forget(long place) {
    Entry<ShareKey, WatchQuotaSharesResponse> entry = byPlace.remove(place);
    if (entry != null) {
      placeOf.remove(entry.key());
      floorPlace = place + 1;
      floorRevision = entry.revision();
    }
  }

  /** Changes that are kept. */
  int size() {
    return byPlace.size();
  }

  @Override
  public long nextPlace() {
    return nextPlace;
  }

  @Override
  public long latestRevision() {
    return latestRevision;
  }

  @Override
  public boolean keepsAfter(long revision) {
    return revision >= floorRevision;
  }

  @Override
  public long placeAfter(long revision) {
    long place = nextPlace;
    for (Entry<ShareKey, WatchQuotaSharesResponse> entry : byPlace.descendingMap().values()) {
      if (entry.revision() <= revision) {
        break;
      }
      place = entry.place();
    }
    return place;
  }

  @Override
  public boolean keeps(long place) {
    return place >= floorPlace;
  }

  @Override
  public @Nullable Entry<ShareKey, WatchQuotaSharesResponse> from(long place) {
    Map.Entry<Long, Entry<ShareKey, WatchQuotaSharesResponse>> entry = byPlace.ceilingEntry(place);
    return entry == null ? null : entry.getValue();
  }
}
