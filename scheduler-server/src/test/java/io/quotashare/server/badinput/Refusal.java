package io.quotashare.server.badinput;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.SubmitJobError;
import io.quotashare.proto.v1.SubmitJobsResponse;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.badinput.Rpc.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a request was refused.
 *
 * @param domain of the reason
 * @param fields violations that the details name
 */
record Refusal(
    Status.Code code, String domain, String reason, String message, List<String> fields) {
  /** Empty if the request was taken. */
  static Optional<Refusal> of(Outcome outcome) {
    if (outcome.error().isPresent()) {
      return outcome
          .error()
          .map(status -> of(new StatusRuntimeException(status, outcome.trailers())));
    }
    for (Message response : outcome.responses()) {
      if (response instanceof SubmitJobsResponse batch && batch.getOutcomes(0).hasError()) {
        return Optional.of(of(batch.getOutcomes(0).getError()));
      }
    }
    return Optional.empty();
  }

  private static Refusal of(StatusRuntimeException error) {
    String message = String.valueOf(error.getStatus().getDescription());
    try {
      return new Refusal(
          error.getStatus().getCode(),
          ErrorInfos.info(error).getDomain(),
          ErrorInfos.reason(error),
          message,
          ErrorInfos.fields(error));
    } catch (java.util.NoSuchElementException e) {
      return new Refusal(error.getStatus().getCode(), "", "", message, List.of());
    }
  }

  /** An entry of a batch is refused as it would have been alone. */
  private static Refusal of(SubmitJobError error) {
    String field = error.getMetadataOrDefault("field", "");
    return new Refusal(
        Status.Code.valueOf(error.getCode()),
        "quotashare",
        error.getReason(),
        error.getMessage(),
        field.isEmpty() ? List.of() : List.of(field));
  }

  /** What is wrong with this answer to a bad value. */
  List<String> problems(Place place, Bad bad) {
    List<String> problems = new ArrayList<>();
    if (code != bad.code()) {
      problems.add("answered " + code + " (expected: " + bad.code() + "): " + message);
      return problems;
    }
    if (!domain.equals("quotashare")) {
      problems.add("domain '" + domain + "'");
    }
    if (!reason.matches("[A-Z][A-Z_]*[A-Z]")
        || !(bad.reason().isEmpty() || bad.reason().equals(reason))) {
      problems.add("reason '" + reason + "' (expected: " + bad.reason() + ")");
    }
    if (!message.contains(bad.shown())) {
      problems.add("'" + message + "' does not show '" + bad.shown() + "'");
    }
    if (code == Status.Code.INVALID_ARGUMENT) {
      invalid(bad.field().apply(place.path()), problems);
    }
    return problems;
  }

  private void invalid(String path, List<String> problems) {
    // In a batch the violation is that of the entry alone.
    String own = path.startsWith("requests[0].") ? path.substring("requests[0].".length()) : path;
    Optional<String> named =
        fields.stream().filter(f -> f.startsWith(path) || f.startsWith(own)).findFirst();
    if (named.isEmpty()) {
      problems.add("names " + fields + " (expected: " + path + "): " + message);
    } else if (!message.contains(named.get())) {
      problems.add("'" + message + "' does not name " + named.get());
    }
    if (!message.contains("expected")) {
      problems.add("'" + message + "' does not say what was expected");
    }
  }
}
