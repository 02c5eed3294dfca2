package io.quotashare.server.logs;

import io.grpc.Status;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.proto.v1.StreamJobLogsRequest;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.JobView;
import io.quotashare.server.view.Snapshot;

/**
 * Whose output is asked for.
 *
 * @param attempt the attempt
 * @param node node that has the output
 */
record LogTarget(AttemptKey attempt, String node) {
  static LogTarget of(StreamJobLogsRequest request, Snapshot snapshot, StateStore store) {
    JobKey key = Names.job("name", request.getName());
    FieldChecks checks = new FieldChecks();
    checks.check(request.getAttempt() >= 0, "attempt", request.getAttempt(), "0 or more");
    checks.check(request.getRank() >= 0, "rank", request.getRank(), "0 or more");
    checks.check(request.getOffset() >= 0, "offset", request.getOffset(), "0 or more");
    checks.throwIfAny();
    JobView view = snapshot.requireJob(key);
    Attempt attempt = attempt(request.getAttempt(), view, store);
    if (request.getRank() >= attempt.parts().size()) {
      throw Errors.invalid(
          "rank", request.getRank() + " (expected: 0 to " + (attempt.parts().size() - 1) + ")");
    }
    Part part = attempt.parts().get(request.getRank());
    if (part.phase() == PartPhase.ASSIGNED) {
      throw Errors.retryLater(
          Status.Code.FAILED_PRECONDITION,
          "ATTEMPT_NOT_STARTED",
          attempt.key() + " is about to start on node " + part.node(),
          1_000);
    }
    return new LogTarget(attempt.key(), part.node());
  }

  private static Attempt attempt(int number, JobView view, StateStore store) {
    Attempt newest = view.attempt();
    if (newest == null) {
      throw Errors.retryLater(
          Status.Code.FAILED_PRECONDITION,
          "ATTEMPT_NOT_STARTED",
          view.job().key() + " has not started yet",
          1_000);
    }
    if (number == 0 || number == newest.key().number()) {
      return newest;
    }
    return store.attempts(view.job().key()).stream()
        .filter(attempt -> attempt.key().number() == number)
        .findFirst()
        .orElseThrow(() -> Errors.notFound("attempt", view.job().key() + "/attempts/" + number));
  }
}
