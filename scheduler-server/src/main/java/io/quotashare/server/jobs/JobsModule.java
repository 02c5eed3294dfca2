package io.quotashare.server.jobs;

import com.google.inject.AbstractModule;
import jakarta.inject.Singleton;

/** Binds the job service. */
public final class JobsModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(JobEndpoint.class).in(Singleton.class);
    bind(JobIds.class).toInstance(JobIds.random());
  }
}
