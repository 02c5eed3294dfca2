package io.quotashare.server.queues;

import com.google.inject.AbstractModule;
import jakarta.inject.Singleton;

/** Binds the queue service. */
public final class QueuesModule extends AbstractModule {
  /** Name of the executor on which answers are read from the store. */
  public static final String READS = "reads";

  @Override
  protected void configure() {
    bind(QueueEndpoint.class).in(Singleton.class);
    bind(UsageReports.class).in(Singleton.class);
    bind(NodeWriter.class).in(Singleton.class);
  }
}
