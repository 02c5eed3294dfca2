package io.quotashare.server.agents;

import static io.quotashare.core.model.Check.checkArgument;

import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Node;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.Restored;
import io.quotashare.server.engine.Step;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds decisions back after the start of a new leader until the agents that it inherited have
 * registered, or a short time has passed. Engine's thread only.
 */
public final class RecoveryGate implements EngineListener {
  private static final Logger log = LoggerFactory.getLogger(RecoveryGate.class);

  private final long graceMillis;
  private final Set<String> awaited = new HashSet<>();
  private long endNanos;
  private boolean holding;

  /**
   * @param graceMillis longest wait, 0 or more
   */
  public RecoveryGate(long graceMillis) {
    checkArgument(graceMillis >= 0, "graceMillis: %s (expected: >= 0)", graceMillis);
    this.graceMillis = graceMillis;
  }

  @Override
  public void started(Restored restored) {
    for (Node node : restored.scheduler().nodes()) {
      if (node.liveness() == Node.Liveness.ALIVE) {
        awaited.add(node.name());
      }
    }
    endNanos = restored.nowNanos() + graceMillis * 1_000_000;
    holding = !awaited.isEmpty() && graceMillis > 0;
    restored.scheduler().recovering(holding);
  }

  @Override
  public void rebuilt(Scheduler scheduler) {
    scheduler.recovering(holding);
  }

  @Override
  public OptionalLong nextNanos() {
    return holding ? OptionalLong.of(endNanos) : OptionalLong.empty();
  }

  @Override
  public void begin(Step step) {
    if (holding && step.nowNanos() - endNanos >= 0) {
      log.warn("deciding without {} agents that did not come back in time", awaited.size());
      open(step);
    }
  }

  /** An agent has registered. */
  void registered(String node, Step step) {
    if (awaited.remove(node) && holding && awaited.isEmpty()) {
      log.info("all agents are back");
      open(step);
    }
  }

  private void open(Step step) {
    holding = false;
    step.scheduler().recovering(false);
  }
}
