package io.quotashare.server.admin;

import static java.util.Objects.requireNonNull;

import io.grpc.Context;
import io.grpc.Status;
import io.quotashare.proto.admin.v1.VerifyStateResponse;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.store.Verification;
import io.quotashare.server.view.ReadModel;
import io.quotashare.server.view.Snapshot;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Verifies the durable state beside the engine, and compares it with the state in memory as of the
 * same commit. One at a time: it reads the whole database.
 */
final class StateCheck {
  /**
   * How often it is tried to find memory and database at the same commit: between a commit and its
   * snapshot lie microseconds, between two commits milliseconds.
   */
  private static final int MAX_TRIES = 1000;

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final StateStore store;
  private final ReadModel readModel;
  private final Semaphore one = new Semaphore(1);

  @Inject
  StateCheck(StateStore store, ReadModel readModel) {
    this.store = requireNonNull(store, "store is null");
    this.readModel = requireNonNull(readModel, "readModel is null");
  }

  /**
   * Verifies.
   *
   * @throws io.grpc.StatusRuntimeException RESOURCE_EXHAUSTED while another verification runs;
   *     UNAVAILABLE if commits follow each other so fast that none can be compared
   */
  VerifyStateResponse verify() {
    if (!one.tryAcquire()) {
      throw Errors.status(
          Status.Code.RESOURCE_EXHAUSTED,
          "VERIFICATION_RUNS",
          "another verification of the state runs (expected: one at a time): try again when it has"
              + " ended",
          Map.of(),
          List.of());
    }
    try {
      return response(findCommit());
    } finally {
      one.release();
    }
  }

  private Verification findCommit() {
    for (int i = 0; i < MAX_TRIES && !Context.current().isCancelled(); i++) {
      Snapshot memory = readModel.current();
      Optional<Verification> done = store.verify(new MemoryComparison(memory));
      if (done.isPresent()) {
        return done.get();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    throw Errors.status(
        Status.Code.UNAVAILABLE,
        "STATE_CHANGES_TOO_FAST",
        "commits follow each other too fast to compare one with the state in memory: try again",
        Map.of(),
        List.of());
  }

  private static VerifyStateResponse response(Verification verification) {
    return VerifyStateResponse.newBuilder()
        .setRows(verification.rows())
        .setRevision(verification.at().revision())
        .addAllProblems(verification.problems())
        .build();
  }
}
