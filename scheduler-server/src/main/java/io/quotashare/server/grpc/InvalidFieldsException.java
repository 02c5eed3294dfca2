package io.quotashare.server.grpc;

import static java.util.Objects.requireNonNull;

import io.grpc.StatusRuntimeException;
import io.quotashare.core.RejectedException;
import java.util.Map;
import java.util.TreeMap;

/** Fields of a call are wrong by the state as it is when the call's turn has come. */
final class InvalidFieldsException extends RejectedException {
  private static final long serialVersionUID = 1L;

  private final transient StatusRuntimeException status;

  /**
   * @param first the first field that is wrong
   * @param status names all of them
   */
  InvalidFieldsException(String first, StatusRuntimeException status) {
    super(
        Kind.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        first,
        String.valueOf(status.getStatus().getDescription()),
        new TreeMap<>(Map.of("field", first)));
    this.status = requireNonNull(status, "status is null");
  }

  StatusRuntimeException status() {
    return status;
  }
}
