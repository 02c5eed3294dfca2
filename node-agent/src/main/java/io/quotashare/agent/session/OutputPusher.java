package io.quotashare.agent.session;

import io.quotashare.proto.agent.v1.FetchLogs;

/** Answers requests for the output of attempts. */
public interface OutputPusher extends AutoCloseable {
  /** Begins to send what is asked for; returns at once. */
  void push(FetchLogs request);

  /** Ends every push. */
  @Override
  void close();
}
