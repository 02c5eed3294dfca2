package io.quotashare.server.shares;

import com.google.inject.AbstractModule;
import jakarta.inject.Singleton;

/** Binds the share service. */
public final class SharesModule extends AbstractModule {
  @Override
  protected void configure() {
    bind(QuotaShareEndpoint.class).in(Singleton.class);
    bind(LastDay.class).in(Singleton.class);
  }
}
