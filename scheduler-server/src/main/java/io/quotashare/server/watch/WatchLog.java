package io.quotashare.server.watch;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What watches of one kind are told, in its order. A place counts all that happened since the start
 * of the process; a watch holds the place that it reads next. Guarded by the hub's lock.
 *
 * @param <K> key of what something happened to
 * @param <M> message that tells it
 */
interface WatchLog<K, M> {
  /** Something that happened. The message for the watchers is made once, by whoever is first. */
  final class Entry<K, M> {
    private final long place;
    private final long revision;
    private final K key;
    private final Supplier<M> maker;
    private volatile @Nullable M message;

    Entry(long place, long revision, K key, Supplier<M> maker) {
      this.place = place;
      this.revision = revision;
      this.key = requireNonNull(key, "key is null");
      this.maker = requireNonNull(maker, "maker is null");
    }

    long place() {
      return place;
    }

    long revision() {
      return revision;
    }

    K key() {
      return key;
    }

    M message() {
      M made = message;
      if (made == null) {
        made = maker.get();
        message = made;
      }
      return made;
    }
  }

  /** Place that the next entry will have. */
  long nextPlace();

  /** Revision of everything that has happened. */
  long latestRevision();

  /** Whether nothing after this revision was forgotten. */
  boolean keepsAfter(long revision);

  /** Place of the first entry after a revision. */
  long placeAfter(long revision);

  /** Whether nothing from this place on was forgotten. */
  boolean keeps(long place);

  /** The first entry at a place or after it; null if it has not happened yet. */
  @Nullable Entry<K, M> from(long place);
}
