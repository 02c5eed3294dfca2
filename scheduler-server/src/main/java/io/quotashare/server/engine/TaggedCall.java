package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.MessageLite;
import org.jspecify.annotations.Nullable;

/**
 * One of several calls that are made together.
 *
 * @param call what to do
 * @param tag makes a repeat be given the first answer; null if it has no request id
 */
public record TaggedCall<T extends MessageLite>(EngineCall<T> call, @Nullable RequestTag<T> tag) {
  public TaggedCall {
    requireNonNull(call, "call is null");
  }
}
