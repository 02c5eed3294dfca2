package io.quotashare.server.watch;

import io.quotashare.core.JobEvent;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.server.jobs.JobEventWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest events, in a ring. A place counts all events since the start of the process; a watch
 * holds the place that it reads next.
 */
final class EventLog {
  private final Entry[] ring;
  private long nextPlace;
  private long floorRevision;
  private long latestRevision;

  /**
   * @param batch newest batch when the log begins: what was before cannot be resumed from
   */
  EventLog(int capacity, long batch) {
    this.ring = new Entry[capacity];
    this.floorRevision = WatchRevisions.endOf(batch);
    this.latestRevision = floorRevision;
  }

  /** One event with its revision. */
  static final class Entry {
    private final long revision;
    private final JobEvent event;
    private volatile @Nullable WatchJobsResponse message;

    Entry(long revision, JobEvent event) {
      this.revision = revision;
      this.event = event;
    }

    long revision() {
      return revision;
    }

    JobEvent event() {
      return event;
    }

    /** The message for the watchers; made once. */
    WatchJobsResponse message() {
      WatchJobsResponse made = message;
      if (made == null) {
        made =
            WatchJobsResponse.newBuilder()
                .setRevision(revision)
                .setEvent(JobEventWriter.event(event))
                .build();
        message = made;
      }
      return made;
    }
  }

  void append(long batch, List<JobEvent> events) {
    for (int i = 0; i < events.size(); i++) {
      int slot = slot(nextPlace);
      if (ring[slot] != null) {
        floorRevision = ring[slot].revision();
      }
      // Who has the last event of a batch has all of it, which the next leader can tell, too.
      boolean last = i == events.size() - 1;
      long revision = last ? WatchRevisions.endOf(batch) : WatchRevisions.ofEvent(batch, i + 1L);
      ring[slot] = new Entry(revision, events.get(i));
      nextPlace++;
    }
    latestRevision = WatchRevisions.endOf(batch);
  }

  /** Place that the next event will have. */
  long nextPlace() {
    return nextPlace;
  }

  /** Revision of everything that has happened. */
  long latestRevision() {
    return latestRevision;
  }

  /** Whether nothing after this revision was forgotten. */
  boolean keepsAfter(long revision) {
    return revision >= floorRevision;
  }

  /** Place of the first event after a revision. */
  long placeAfter(long revision) {
    long low = firstPlace();
    long high = nextPlace;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (ring[slot(middle)].revision() <= revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The event at a place; null if it has not happened yet. */
  @Nullable Entry at(long place) {
    return place == nextPlace ? null : ring[slot(place)];
  }

  /** Whether the event at a place is still kept, or has not happened yet. */
  boolean keeps(long place) {
    return place >= firstPlace();
  }

  private long firstPlace() {
    return Math.max(0, nextPlace - ring.length);
  }

  private int slot(long place) {
    return (int) (place % ring.length);
  }
}
