package io.quotashare.server.agents;

import java.util.UUID;

/** Makes ids of sessions and of requests to agents. */
@FunctionalInterface
public interface SessionIds {
  /** A new id that nobody can guess. */
  String next();

  /** Random ids. */
  static SessionIds random() {
    return () -> UUID.randomUUID().toString();
  }
}
