package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.internal.JobCalls;
import io.quotashare.client.internal.RequestIds;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * One cancellation of all jobs that a filter selects, a thousand a call. The calls have request ids
 * that are made from the first one: a repeat of the whole repeats each of them.
 */
final class CancelAll {
  private final JobCalls calls;
  private final JobFilter filter;
  private final CancelOptions options;
  private final UUID requestId;
  private final Set<String> cancelled = new LinkedHashSet<>();
  private final CompletableFuture<CancelResult> result = new CompletableFuture<>();

  CancelAll(JobCalls calls, JobFilter filter, CancelOptions options) {
    this.calls = calls;
    this.filter = requireNonNull(filter, "filter");
    this.options = requireNonNull(options, "options");
    this.requestId = options.requestId() == null ? UUID.randomUUID() : options.requestId();
    check(filter, options);
  }

  private static void check(JobFilter filter, CancelOptions options) {
    if (filter.queue().equals(ResourceNames.ALL_QUEUES)) {
      throw new IllegalArgumentException(
          "filter: selects jobs of all queues, expected those of one queue");
    }
    List<JobState> terminal =
        filter.states().stream().filter(JobState::isTerminal).sorted().toList();
    if (!terminal.isEmpty()) {
      throw new IllegalArgumentException(
          "filter: states " + terminal + " have ended, expected states that can be cancelled");
    }
    boolean everyJob =
        filter.states().isEmpty() && filter.share().isEmpty() && filter.labels().isEmpty();
    if (everyJob && !options.everyJob()) {
      throw new IllegalArgumentException(
          "filter: selects every job of queue "
              + filter.queue()
              + ", expected a share, states or labels, or CancelOptions.forEveryJob()");
    }
  }

  CompletableFuture<CancelResult> check() {
    return calls.cancelSome(filter, options, true);
  }

  CompletableFuture<CancelResult> run() {
    cancelSome(0);
    return result;
  }

  private void cancelSome(int call) {
    CompletableFuture<CancelResult> some =
        calls.cancelSome(filter, options.withRequestId(RequestIds.ofPart(requestId, call)), false);
    Futures.cancelWith(result, some);
    Futures.then(
        some,
        result,
        answer -> {
          boolean further = cancelled.addAll(answer.jobs());
          // A call that cancels nothing new would be repeated for ever.
          if (answer.remaining() == 0 || !further) {
            result.complete(new CancelResult(List.copyOf(cancelled), answer.remaining()));
          } else {
            cancelSome(call + 1);
          }
        });
  }
}
