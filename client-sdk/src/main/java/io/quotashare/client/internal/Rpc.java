package io.quotashare.client.internal;

import static java.util.Objects.requireNonNull;

import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.quotashare.client.ErrorDetails;
import io.quotashare.client.QuotaShareException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Calls over one channel: deadlines, futures, and the exceptions of the client. */
public final class Rpc {
  /** Deadline of reading one thing. */
  public static final Duration GET = Duration.ofSeconds(5);

  /** Deadline of lists, submissions and other changes. */
  public static final Duration LIST = Duration.ofSeconds(10);

  /** Deadline of reading the whole durable state. */
  public static final Duration VERIFY = Duration.ofMinutes(2);

  private final ManagedChannel channel;
  private final String addresses;
  private final Dialer dialer = new Dialer();

  Rpc(ManagedChannel channel, String addresses) {
    this.channel = requireNonNull(channel, "channel");
    this.addresses = requireNonNull(addresses, "addresses");
  }

  /** Where the scheduler is looked for, as messages show it. */
  String addresses() {
    return addresses;
  }

  ManagedChannel channel() {
    return channel;
  }

  QuotaShareException toException(Throwable failure) {
    return Errors.toException(failure, addresses);
  }

  /**
   * A call, not started yet. After an outage the channel by itself would dial again only after up
   * to two minutes, and fail calls until then; a call is a reason to dial now.
   */
  <Q, R> ClientCall<Q, R> newCall(MethodDescriptor<Q, R> method, CallOptions options) {
    dial();
    return channel.newCall(method, options.withStreamTracerFactory(dialer));
  }

  private void dial() {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
  }

  /** Hears of every attempt of a call: a repeated one finds nobody unless somebody dials again. */
  private final class Dialer extends ClientStreamTracer.Factory {
    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      if (info.getPreviousAttempts() > 0) {
        dial();
      }
      return new ClientStreamTracer() {};
    }
  }

  /**
   * One request, one response. Cancelling the future cancels the call.
   *
   * @param convert from the message to the type of the client
   */
  <Q, R, T> CompletableFuture<T> call(
      MethodDescriptor<Q, R> method, Q request, Duration deadline, Function<R, T> convert) {
    CallOptions options =
        CallOptions.DEFAULT.withDeadlineAfter(deadline.toMillis(), TimeUnit.MILLISECONDS);
    ClientCall<Q, R> call = newCall(method, options);
    CompletableFuture<T> future = new CompletableFuture<>();
    ClientCalls.asyncUnaryCall(call, request, new Completion<>(future, convert));
    var unused =
        future.whenComplete(
            (value, failure) -> {
              if (future.isCancelled()) {
                call.cancel("cancelled by the caller", null);
              }
            });
    return future;
  }

  /** Completes a future with the one response of a call. */
  private final class Completion<R, T> implements StreamObserver<R> {
    private final CompletableFuture<T> future;
    private final Function<R, T> convert;

    Completion(CompletableFuture<T> future, Function<R, T> convert) {
      this.future = future;
      this.convert = convert;
    }

    @Override
    public void onNext(R response) {
      try {
        future.complete(convert.apply(response));
      } catch (RuntimeException e) {
        future.completeExceptionally(
            new QuotaShareException(
                ErrorDetails.of("the answer of the scheduler cannot be read: " + e), e));
      }
    }

    @Override
    public void onError(Throwable failure) {
      future.completeExceptionally(toException(failure));
    }

    @Override
    public void onCompleted() {
      // ClientCalls has seen to it that one response came before.
    }
  }
}
