package io.quotashare.agent.session;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.attempt.Attempts;
import io.quotashare.agent.inventory.InventorySource;
import io.quotashare.agent.time.AgentClock;
import io.quotashare.proto.agent.v1.Inventory;
import io.quotashare.proto.agent.v1.RegisterRequest;
import io.quotashare.proto.agent.v1.RegisterResponse;
import io.quotashare.proto.agent.v1.SessionResponse;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a session with the scheduler: registers, and obeys commands of the present registration and
 * of no other (reliability-and-security V11). While there is no scheduler it tries again and again;
 * the jobs go on.
 *
 * <p>Deterministic; used by the agent's thread alone.
 */
public final class AgentSession {
  /** Version of the protocol that this agent speaks. */
  static final int PROTOCOL_VERSION = 1;

  static final long BACKOFF_FIRST_MILLIS = 500;
  private static final long HEARTBEAT_MIN_MILLIS = 50;
  private static final long HEARTBEAT_MAX_MILLIS = 60_000;
  private static final Logger log = LoggerFactory.getLogger(AgentSession.class);

  private final OpenSession.Parts parts;
  private final EpochFence fence;
  private final NodeIdentity identity;
  private final Backoff backoff;

  /** Names one registration, so that what an earlier one left behind is known as such. */
  private long registration;

  private Optional<OpenSession> open = Optional.empty();
  private boolean registering;
  private long retryAtBootMillis;
  private String lastTrouble = "";

  /**
   * A session over a link. It begins with the first {@link #tick}.
   *
   * @param reconnectMaxMillis longest time between two tries, 500 or more
   */
  public AgentSession(
      SchedulerLink link,
      Attempts attempts,
      InventorySource inventory,
      OutputPusher output,
      EpochFence fence,
      AgentClock clock,
      NodeIdentity identity,
      long reconnectMaxMillis,
      RandomGenerator random) {
    this.fence = requireNonNull(fence, "fence is null");
    this.identity = requireNonNull(identity, "identity is null");
    this.backoff = new Backoff(BACKOFF_FIRST_MILLIS, reconnectMaxMillis, random);
    this.parts =
        new OpenSession.Parts(
            requireNonNull(link, "link is null"),
            requireNonNull(attempts, "attempts is null"),
            requireNonNull(inventory, "inventory is null"),
            requireNonNull(output, "output is null"),
            requireNonNull(clock, "clock is null"),
            backoff::reset);
  }

  /** Whether there is a session now. */
  public boolean isOpen() {
    return open.isPresent();
  }

  /** Does what is due. */
  public void tick() {
    if (open.isPresent()) {
      open.get().tick().ifPresent(this::lose);
    } else if (!registering && parts.clock().bootMillis() >= retryAtBootMillis) {
      register();
    }
  }

  /** Ends the session for good: the agent is about to go. */
  public void close() {
    open.ifPresent(OpenSession::close);
    open = Optional.empty();
    registration++;
    retryAtBootMillis = Long.MAX_VALUE;
  }

  private void register() {
    registering = true;
    long mine = ++registration;
    long sentBootMillis = parts.clock().bootMillis();
    Inventory present =
        ReportedInventory.of(parts.inventory().current(), parts.attempts().quarantined());
    RegisterRequest request =
        RegisterRequest.newBuilder()
            .setProtocolVersion(PROTOCOL_VERSION)
            .setNode(identity.node())
            .setAgentVersion(identity.agentVersion())
            .setBootId(identity.bootId())
            .putAllLabels(identity.labels())
            .setAdvertiseAddress(identity.advertiseAddress())
            .addAllAttempts(parts.attempts().unfinished())
            .setInventory(present)
            .build();
    parts
        .link()
        .register(
            request,
            new SchedulerLink.Answer<>() {
              @Override
              public void ok(RegisterResponse response) {
                registering = false;
                if (mine == registration) {
                  registered(response, sentBootMillis, present.getHash());
                }
              }

              @Override
              public void failed(LinkFailure failure) {
                registering = false;
                if (mine == registration) {
                  retry("cannot register with the scheduler: " + failure);
                }
              }
            });
  }

  private void registered(RegisterResponse response, long sentBootMillis, String inventoryHash) {
    Optional<String> objection = objection(response);
    if (objection.isPresent()) {
      retry(objection.get());
      return;
    }
    long heartbeatMillis = heartbeatMillis(response);
    log.info(
        "registered as node {} with the scheduler (epoch {}, heartbeat every {} ms)",
        identity.node(),
        response.getEpoch(),
        heartbeatMillis);
    lastTrouble = "";
    open =
        Optional.of(
            new OpenSession(
                parts,
                response.getEpoch(),
                response.getSession(),
                heartbeatMillis,
                parts.link().openSession(new Listener(registration)),
                inventoryHash));
    parts.attempts().renewLeases(sentBootMillis);
    parts.attempts().endWithoutReport(response.getEndedAttemptsList());
    tick();
  }

  private static long heartbeatMillis(RegisterResponse response) {
    return response.getHeartbeatInterval().getSeconds() * 1_000
        + response.getHeartbeatInterval().getNanos() / 1_000_000;
  }

  private Optional<String> objection(RegisterResponse response) {
    long heartbeat = heartbeatMillis(response);
    if (response.getProtocolVersion() != PROTOCOL_VERSION) {
      return Optional.of(
          String.format(
              "the scheduler speaks protocol version %d (expected: %d); use releases of scheduler"
                  + " and agent that fit together",
              response.getProtocolVersion(), PROTOCOL_VERSION));
    }
    if (heartbeat < HEARTBEAT_MIN_MILLIS || heartbeat > HEARTBEAT_MAX_MILLIS) {
      return Optional.of(
          String.format(
              "the scheduler wants a heartbeat every %d ms (expected: %d to %d)",
              heartbeat, HEARTBEAT_MIN_MILLIS, HEARTBEAT_MAX_MILLIS));
    }
    if (response.getSession().isEmpty()) {
      return Optional.of("the scheduler gave no session");
    }
    return fenced(response.getEpoch());
  }

  private Optional<String> fenced(long epoch) {
    if (epoch < fence.highest()) {
      return Optional.of(
          String.format(
              "not obeying the scheduler: its epoch %d is lower than %d, which this agent has"
                  + " obeyed before. It is a leader of the past, or its data was replaced; in that"
                  + " case stop this agent, delete %s and start it again",
              epoch, fence.highest(), fence.place()));
    }
    try {
      fence.raise(epoch);
      return Optional.empty();
    } catch (UncheckedIOException e) {
      return Optional.of("not obeying the scheduler: " + e.getMessage());
    }
  }

  private void lose(LinkFailure reason) {
    open.ifPresent(OpenSession::close);
    open = Optional.empty();
    registration++;
    retry("the session with the scheduler has ended (" + reason + ")");
  }

  private void retry(String trouble) {
    long wait = backoff.nextMillis();
    retryAtBootMillis = parts.clock().bootMillis() + wait;
    // An outage is one thing to say, not one every few seconds.
    if (!lastTrouble.equals(trouble)) {
      log.warn("{}; jobs go on; trying again in {} ms and so on", trouble, wait);
      lastTrouble = trouble;
    }
  }

  /** Hands on what comes down, unless another registration has come meanwhile. */
  private final class Listener implements SchedulerLink.SessionListener {
    private final long mine;

    Listener(long mine) {
      this.mine = mine;
    }

    @Override
    public void message(SessionResponse message) {
      if (mine == registration) {
        open.ifPresent(session -> session.received(message));
      }
    }

    @Override
    public void ended(LinkFailure reason) {
      if (mine == registration) {
        lose(reason);
      }
    }
  }
}
