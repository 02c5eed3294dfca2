package io.quotashare.server.admin;

import com.google.inject.AbstractModule;
import jakarta.inject.Singleton;

/** Binds the admin service. */
public final class AdminModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(AdminEndpoint.class).in(Singleton.class);
    bind(StateCheck.class).in(Singleton.class);
  }
}
