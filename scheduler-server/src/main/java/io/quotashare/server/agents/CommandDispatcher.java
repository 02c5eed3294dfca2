package io.quotashare.server.agents;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.Effect;
import io.quotashare.core.Scheduler;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.PartPhase;
import io.quotashare.proto.agent.v1.Command;
import io.quotashare.server.engine.Commit;
import io.quotashare.server.engine.EngineClock;
import io.quotashare.server.engine.EngineListener;
import io.quotashare.server.engine.EngineQueue;
import io.quotashare.server.engine.Step;
import io.quotashare.server.failpoint.Failpoint;
import io.quotashare.server.failpoint.Failpoints;
import io.quotashare.server.view.ReadModel;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Hands commands to agents, after the decision is durable (reliability V13), and again until the
 * state has moved on: to an agent whose stream opens, and from time to time. Commands are
 * idempotent, and all are derived from the state, so nothing that is lost on the way is missed.
 */
public final class CommandDispatcher implements EngineListener {
  private final AgentSessions sessions;
  private final ReadModel readModel;
  private final EngineClock clock;
  private final EngineQueue queue;
  private final AgentSettings settings;
  private final LeasePolicy leases;
  private final Failpoints failpoints;

  /** Nodes that may have something to do, and when they are told again. Engine's thread. */
  private final Map<String, Long> nextNanosByNode = new TreeMap<>();

  private final ConcurrentLinkedQueue<String> opened = new ConcurrentLinkedQueue<>();

  public CommandDispatcher(
      AgentSessions sessions,
      ReadModel readModel,
      EngineClock clock,
      EngineQueue queue,
      AgentSettings settings,
      LeasePolicy leases,
      Failpoints failpoints) {
    this.sessions = requireNonNull(sessions, "sessions is null");
    this.readModel = requireNonNull(readModel, "readModel is null");
    this.clock = requireNonNull(clock, "clock is null");
    this.queue = requireNonNull(queue, "queue is null");
    this.settings = requireNonNull(settings, "settings is null");
    this.leases = requireNonNull(leases, "leases is null");
    this.failpoints = requireNonNull(failpoints, "failpoints is null");
  }

  /** The stream of a node's agent has opened; from any thread. */
  void opened(String node) {
    opened.add(node);
    queue.wake();
  }

  @Override
  public OptionalLong nextNanos() {
    if (!opened.isEmpty()) {
      return OptionalLong.of(clock.monotonicNanos());
    }
    return nextNanosByNode.values().stream().mapToLong(Long::longValue).min();
  }

  @Override
  public void begin(Step step) {
    for (String node = opened.poll(); node != null; node = opened.poll()) {
      nextNanosByNode.put(node, step.nowNanos());
    }
    Set<String> due = new TreeSet<>();
    nextNanosByNode.forEach(
        (node, at) -> {
          if (at - step.nowNanos() <= 0) {
            due.add(node);
          }
        });
    due.forEach(node -> sendAll(node, step.scheduler(), step.nowNanos()));
  }

  @Override
  public void committed(Commit commit) {
    if (!commit.batch().effects().isEmpty()) {
      failpoints.reach(Failpoint.BEFORE_COMMAND);
    }
    for (Effect effect : commit.batch().effects()) {
      for (Part part : attemptOf(effect).parts()) {
        if (concerns(effect, part)) {
          send(effect, part);
          nextNanosByNode.putIfAbsent(part.node(), later(clock.monotonicNanos()));
        }
      }
    }
  }

  private void sendAll(String node, Scheduler scheduler, long nowNanos) {
    List<Effect> effects = scheduler.effectsFor(node);
    if (effects.isEmpty()) {
      nextNanosByNode.remove(node);
      return;
    }
    for (Effect effect : effects) {
      for (Part part : attemptOf(effect).parts()) {
        if (part.node().equals(node) && concerns(effect, part)) {
          send(effect, part);
        }
      }
    }
    nextNanosByNode.put(node, later(nowNanos));
  }

  private long later(long nowNanos) {
    return nowNanos + settings.resendMillis() * 1_000_000;
  }

  private void send(Effect effect, Part part) {
    sessions
        .ofNode(part.node())
        .ifPresent(
            session -> {
              session.command(command -> operation(command, effect, part));
              failpoints.reach(Failpoint.COMMAND_SENT);
            });
  }

  private Command.Builder operation(Command.Builder command, Effect effect, Part part) {
    if (effect instanceof Effect.Start start) {
      Job job = start.job();
      Attempt attempt = start.attempt();
      CommandWriter.Meeting meeting =
          MeetingPoints.of(
              attempt,
              readModel.current().nodes().get(attempt.parts().get(0).node()),
              settings.ports());
      return command.setStart(CommandWriter.start(job, attempt, part, meeting, leases));
    }
    if (effect instanceof Effect.Stop stop) {
      return command.setStop(CommandWriter.stop(stop.job(), stop.attempt(), clock.nowMillis()));
    }
    return command.setCheckpoint(CommandWriter.checkpoint(attemptOf(effect)));
  }

  private static boolean concerns(Effect effect, Part part) {
    if (effect instanceof Effect.Stop) {
      return !part.phase().isFree();
    }
    boolean start = effect instanceof Effect.Start;
    return part.phase() == (start ? PartPhase.ASSIGNED : PartPhase.RUNNING);
  }

  private static Attempt attemptOf(Effect effect) {
    if (effect instanceof Effect.Start start) {
      return start.attempt();
    }
    if (effect instanceof Effect.Stop stop) {
      return stop.attempt();
    }
    return ((Effect.Checkpoint) effect).attempt();
  }
}
