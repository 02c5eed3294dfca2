package io.quotashare.client.internal;

import io.quotashare.client.CallCancelledException;
import io.quotashare.client.ErrorDetails;
import io.quotashare.client.QuotaShareException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The blocking form of a future. */
public final class Blocking {
  private Blocking() {}

  /**
   * Waits for the value.
   *
   * @throws QuotaShareException what the call failed with, with the stack of the caller; {@link
   *     CallCancelledException} if the thread is interrupted, which also cancels the call
   */
  public static <T> T get(CompletableFuture<T> future) {
    try {
      // A future that is done already does not look.
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      return future.get();
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new CallCancelledException(
          ErrorDetails.of("interrupted while waiting for the scheduler"), e);
    } catch (CancellationException e) {
      throw new CallCancelledException(ErrorDetails.of("the call was cancelled"), e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof QuotaShareException failure) {
        failure.addSuppressed(new CallSite());
        throw failure;
      }
      throw new QuotaShareException(ErrorDetails.of("the client failed: " + e.getCause()), e);
    }
  }

  /** Shows in a stack trace where the caller waited: the failure itself arose on another thread. */
  private static final class CallSite extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CallSite() {
      super("waited for here");
    }
  }
}
