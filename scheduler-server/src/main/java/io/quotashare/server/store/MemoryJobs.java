package io.quotashare.server.store;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The jobs of a {@link MemoryStateStore} in every order of a list. */
final class MemoryJobs {
  private final NavigableMap<JobKey, Job> byId = new TreeMap<>();
  private final NavigableMap<Long, Job> bySequence = new TreeMap<>();
  private final Map<String, NavigableMap<Long, Job>> byQueue = new HashMap<>();

  void put(Job job) {
    byId.put(job.key(), job);
    bySequence.put(job.sequence(), job);
    byQueue.computeIfAbsent(job.key().queue(), queue -> new TreeMap<>()).put(job.sequence(), job);
  }

  void remove(JobKey key) {
    Job job = byId.remove(key);
    if (job != null) {
      bySequence.remove(job.sequence());
      byQueue.getOrDefault(key.queue(), new TreeMap<>()).remove(job.sequence());
    }
  }

  JobSlice list(JobQuery query) {
    List<Job> jobs = new ArrayList<>();
    JobPlace last = null;
    int looked = 0;
    for (Job job : candidates(query)) {
      JobPlace place = JobPlace.of(job);
      if (isPast(query, place)) {
        break;
      }
      if (looked == query.scan() || jobs.size() == query.limit()) {
        return new JobSlice(jobs, last, looked);
      }
      looked++;
      last = place;
      if (query.admits(job.spec().share(), job.state()) && query.admitsLabelsOf(job)) {
        jobs.add(job);
      }
    }
    return new JobSlice(jobs, null, looked);
  }

  private static boolean isPast(JobQuery query, JobPlace place) {
    return (!query.queue().isEmpty() && !place.key().queue().equals(query.queue()))
        || (query.until() != null && query.order().places().compare(place, query.until()) > 0);
  }

  /** Jobs from the place on at which the query begins, in its order. */
  private Iterable<Job> candidates(JobQuery query) {
    JobPlace after = query.after();
    if (query.order() == JobOrder.ID) {
      return after == null
          ? byId.tailMap(new JobKey(query.queue(), ""), true).values()
          : byId.tailMap(after.key(), false).values();
    }
    NavigableMap<Long, Job> jobs =
        query.queue().isEmpty() ? bySequence : byQueue.getOrDefault(query.queue(), new TreeMap<>());
    return query.order() == JobOrder.NEWEST_FIRST
        ? rest(jobs.descendingMap(), after)
        : rest(jobs, after);
  }

  private static Iterable<Job> rest(NavigableMap<Long, Job> jobs, @Nullable JobPlace after) {
    return (after == null ? jobs : jobs.tailMap(after.sequence(), false)).values();
  }
}
