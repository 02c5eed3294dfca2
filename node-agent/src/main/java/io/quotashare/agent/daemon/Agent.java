package io.quotashare.agent.daemon;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.attempt.Attempts;
import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.session.AgentSession;
import io.quotashare.agent.session.OutputPusher;
import io.quotashare.agent.session.SchedulerLink;
import io.quotashare.agent.threads.WatchedExecutor;
import io.quotashare.agent.time.AgentClock;
import jakarta.inject.Inject;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The running agent: one thread that does everything there is to decide, in small steps. First it
 * finds again what runs, then it looks at the devices, and only then it registers.
 */
public final class Agent {
  /** How long the first registration waits for the first look at the devices. */
  static final long FIRST_INVENTORY_MILLIS = 5_000;

  private static final long CLOSE_MILLIS = 2_000;
  private static final Logger log = LoggerFactory.getLogger(Agent.class);

  private final WatchedExecutor thread;
  private final Attempts attempts;
  private final InventorySource inventory;
  private final AgentSession session;
  private final OutputPusher output;
  private final SchedulerLink link;
  private final AgentClock clock;
  private final long pollMillis;

  private boolean inventoryKnown;
  private long startedBootMillis;

  /** An agent of these parts. */
  @Inject
  Agent(
      WatchedExecutor thread,
      Attempts attempts,
      InventorySource inventory,
      AgentSession session,
      OutputPusher output,
      SchedulerLink link,
      AgentClock clock,
      PollInterval poll) {
    this.thread = requireNonNull(thread, "thread is null");
    this.attempts = requireNonNull(attempts, "attempts is null");
    this.inventory = requireNonNull(inventory, "inventory is null");
    this.session = requireNonNull(session, "session is null");
    this.output = requireNonNull(output, "output is null");
    this.link = requireNonNull(link, "link is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.pollMillis = poll.millis();
  }

  /**
   * Time between two looks at what runs.
   *
   * @param millis above 0
   */
  public record PollInterval(long millis) {}

  /**
   * Begins. Attempts of an earlier agent are found again when this returns.
   *
   * @throws IllegalStateException if the state folder is damaged
   */
  public void start() {
    startedBootMillis = clock.bootMillis();
    attempts.recover();
    inventory.start(changed -> thread.execute(() -> inventoryKnown = true));
    thread.every(pollMillis, this::tick);
  }

  private void tick() {
    attempts.tick();
    if (inventoryKnown || clock.bootMillis() - startedBootMillis >= FIRST_INVENTORY_MILLIS) {
      session.tick();
    }
  }

  private static String goOn(int running) {
    return (running == 1 ? "1 job goes on, and is" : running + " jobs go on, and are")
        + " found again when it starts";
  }

  /** Ends the agent. Jobs go on under their supervisors. */
  public void stop() {
    CountDownLatch closed = new CountDownLatch(1);
    thread.execute(
        () -> {
          int running = attempts.running().size();
          log.info("the agent ends; {}", running == 0 ? "no job runs on this node" : goOn(running));
          session.close();
          closed.countDown();
        });
    try {
      if (!closed.await(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
        log.warn("the agent's thread does not answer; ending all the same");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.shutdown();
    output.close();
    inventory.close();
    link.close();
  }
}
