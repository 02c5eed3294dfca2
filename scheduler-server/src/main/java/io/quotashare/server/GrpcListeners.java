package io.quotashare.server;

import static java.util.Objects.requireNonNull;

import io.quotashare.server.grpc.GrpcListener;
import java.util.List;

/** The three gRPC listeners. */
record GrpcListeners(GrpcListener users, GrpcListener agents, GrpcListener operators) {
  GrpcListeners {
    requireNonNull(users, "users is null");
    requireNonNull(agents, "agents is null");
    requireNonNull(operators, "operators is null");
  }

  List<GrpcListener> all() {
    return List.of(users, agents, operators);
  }
}
