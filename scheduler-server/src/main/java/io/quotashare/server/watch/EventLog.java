package io.quotashare.server.watch;

import io.quotashare.core.JobEvent;
import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.WatchJobsResponse;
import io.quotashare.server.jobs.JobEventWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The newest events of jobs, in a ring. */
final class EventLog implements WatchLog<JobKey, WatchJobsResponse> {
  private final List<@Nullable Entry<JobKey, WatchJobsResponse>> ring;
  private long nextPlace;
  private long floorRevision;
  private long latestRevision;

  /**
   * @param batch newest batch when the log begins: what was before cannot be resumed from
   */
  EventLog(int capacity, long batch) {
    this.ring = new ArrayList<>(Collections.nCopies(capacity, null));
    this.floorRevision = WatchRevisions.endOf(batch);
    this.latestRevision = floorRevision;
  }

  void append(long batch, List<JobEvent> events) {
    for (int i = 0; i < events.size(); i++) {
      int slot = slot(nextPlace);
      Entry<JobKey, WatchJobsResponse> oldest = ring.get(slot);
      if (oldest != null) {
        floorRevision = oldest.revision();
      }
      JobEvent event = events.get(i);
      long revision = WatchRevisions.ofEvent(batch, i, events.size());
      ring.set(
          slot,
          new Entry<>(nextPlace, revision, event.job().key(), () -> message(revision, event)));
      nextPlace++;
    }
    latestRevision = WatchRevisions.endOf(batch);
  }

  private static WatchJobsResponse message(long revision, JobEvent event) {
    return WatchJobsResponse.newBuilder()
        .setRevision(revision)
        .setEvent(JobEventWriter.event(event))
        .build();
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
    long low = firstPlace();
    long high = nextPlace;
    while (low < high) {
      long middle = (low + high) >>> 1;
      Entry<JobKey, WatchJobsResponse> entry = ring.get(slot(middle));
      if (entry != null && entry.revision() <= revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public @Nullable Entry<JobKey, WatchJobsResponse> from(long place) {
    return place == nextPlace ? null : ring.get(slot(place));
  }

  @Override
  public boolean keeps(long place) {
    return place >= firstPlace();
  }

  private long firstPlace() {
    return Math.max(0, nextPlace - ring.size());
  }

  private int slot(long place) {
    return (int) (place % ring.size());
  }
}
