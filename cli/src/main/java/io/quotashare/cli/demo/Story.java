package io.quotashare.cli.demo;

import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A recorded list of events, asked for what happened before what. */
final class Story {
  /** The place of something that did not happen: behind everything. */
  static final int NEVER = Integer.MAX_VALUE;

  private final List<JobEvent> events;

  Story(List<JobEvent> events) {
    this.events = List.copyOf(events);
  }

  /** Place of the first such event of the job; {@link #NEVER} if there is none. */
  int first(String job, JobEventType type) {
    return first(job, type, event -> true);
  }

  /** Place of the first such event of the job that is like this; {@link #NEVER} if none is. */
  int first(String job, JobEventType type, Predicate<JobEvent> like) {
    return IntStream.range(0, events.size())
        .filter(i -> is(events.get(i), job, type) && like.test(events.get(i)))
        .findFirst()
        .orElse(NEVER);
  }

  /** The event at a place; empty for {@link #NEVER}. */
  Optional<JobEvent> at(int place) {
    return place == NEVER ? Optional.empty() : Optional.of(events.get(place));
  }

  /** Events of this type from one place to before another. */
  List<JobEvent> between(int from, int to, JobEventType type) {
    return IntStream.range(Math.min(from, events.size()), Math.min(to, events.size()))
        .mapToObj(events::get)
        .filter(event -> event.type() == type)
        .toList();
  }

  /** All events of this type. */
  List<JobEvent> all(JobEventType type) {
    return between(0, NEVER, type);
  }

  /** All events of this job. */
  List<JobEvent> of(String job) {
    return events.stream().filter(event -> event.job().id().equals(job)).toList();
  }

  /** The most devices that were held at one time: from each start to the end of that attempt. */
  int mostHeld() {
    Map<String, Integer> held = new HashMap<>();
    int most = 0;
    for (JobEvent event : events) {
      String job = event.job().id();
      if (event.type() == JobEventType.STARTED) {
        held.put(job, event.job().totalGpus());
      } else if (event.type() == JobEventType.STOPPED || event.job().state().isTerminal()) {
        held.remove(job);
      }
      most = Math.max(most, held.values().stream().mapToInt(Integer::intValue).sum());
    }
    return most;
  }

  /** Ids of the jobs of events, as text for people. */
  static String jobs(List<JobEvent> events) {
    return events.isEmpty()
        ? "nobody"
        : events.stream().map(event -> event.job().id()).collect(Collectors.joining(", "));
  }

  private static boolean is(JobEvent event, String job, JobEventType type) {
    return event.type() == type && event.job().id().equals(job);
  }
}
