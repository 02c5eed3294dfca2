package io.quotashare.server.agents;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * How agents are dealt with.
 *
 * @param heartbeatMillis interval between heartbeats that agents are told, 1 or more
 * @param resendMillis a command whose effect is not seen is sent again this often, 1 or more
 * @param recoveryMillis a new leader waits for its agents at most this long before it decides
 * @param maxOutbound messages that wait for one agent to read them; beyond, its session is closed
 * @param maxReports reports of one agent that wait to be durable; what comes beyond is dropped, and
 *     repeated by the agent
 * @param ports first and last port of the range that gangs meet on
 */
public record AgentSettings(
    long heartbeatMillis,
    long resendMillis,
    long recoveryMillis,
    int maxOutbound,
    int maxReports,
    Ports ports) {
  /** The defaults. */
  public static final AgentSettings DEFAULT =
      new AgentSettings(1_000, 5_000, 10_000, 1_000, 1_000, new Ports(20_000, 29_999));

  /**
   * A range of ports.
   *
   * @param first 1024 or more
   * @param last first or more, at most 65535
   */
  public record Ports(int first, int last) {
    public Ports {
      checkArgument(
          first >= 1024 && last >= first && last <= 65_535,
          "ports: %s-%s (expected: a range within 1024-65535)",
          first,
          last);
    }
  }

  public AgentSettings {
    checkArgument(heartbeatMillis >= 1, "heartbeatMillis: %s (expected: >= 1)", heartbeatMillis);
    checkArgument(resendMillis >= 1, "resendMillis: %s (expected: >= 1)", resendMillis);
    checkArgument(recoveryMillis >= 0, "recoveryMillis: %s (expected: >= 0)", recoveryMillis);
    checkArgument(maxOutbound >= 1, "maxOutbound: %s (expected: >= 1)", maxOutbound);
    checkArgument(maxReports >= 1, "maxReports: %s (expected: >= 1)", maxReports);
  }
}
