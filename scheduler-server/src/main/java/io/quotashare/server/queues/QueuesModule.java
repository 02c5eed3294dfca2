package io.quotashare.server.queues;

import com.google.inject.AbstractModule;
import jakarta.inject.Singleton;

/** Binds the queue service. */
public final class QueuesModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(QueueEndpoint.class).in(Singleton.class);
    bind(NodeWriter.class).in(Singleton.class);
  }
}
