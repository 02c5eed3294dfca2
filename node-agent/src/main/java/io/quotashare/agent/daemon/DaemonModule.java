package io.quotashare.agent.daemon;

import static java.util.Objects.requireNonNull;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import io.quotashare.agent.threads.WatchedExecutor;
import io.quotashare.agent.time.AgentClock;
import io.quotashare.agent.time.SystemClock;
import java.util.function.Consumer;

/** Binds the clock and the agent's thread. */
public final class DaemonModule extends AbstractModule {
  private final Agent.PollInterval poll;
  private final Consumer<Throwable> onFailure;

  /**
   * A module.
   *
   * @param onFailure told when the agent's thread has failed: nothing it decides can be trusted
   *     then
   */
  public DaemonModule(Agent.PollInterval poll, Consumer<Throwable> onFailure) {
    this.poll = requireNonNull(poll, "poll is null");
    this.onFailure = requireNonNull(onFailure, "onFailure is null");
  }

  @Override
  protected void configure() {
    bind(AgentClock.class).to(SystemClock.class).in(Singleton.class);
    bind(Agent.PollInterval.class).toInstance(poll);
  }

  @Provides
  @Singleton
  WatchedExecutor thread() {
    return new WatchedExecutor("agent", 1, onFailure);
  }
}
