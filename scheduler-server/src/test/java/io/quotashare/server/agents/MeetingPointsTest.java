package io.quotashare.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptKey;
import io.quotashare.core.model.Device;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.ShareKey;
import io.quotashare.server.agents.AgentSettings.Ports;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MeetingPointsTest {
  private static final Ports PORTS = new Ports(20_000, 29_999);
  private static final Node NODE =
      new Node(
          "n1",
          new TreeMap<>(),
          IntStream.range(0, 16).mapToObj(i -> Device.healthy("g" + i, i, "H100")).toList(),
          Node.Order.OPEN,
          Node.Liveness.ALIVE,
          new Node.AgentInfo("", "b", "10.0.0.1", "", "", "", ""));

  @Test
  void attemptsThatLiveTogetherMeetOnDifferentPorts() {
    Set<Integer> ports = new HashSet<>();
    for (int i = 0; i < 16; i++) {
      ports.add(MeetingPoints.of(attempt("j" + i, "g" + i), Optional.of(NODE), PORTS).port());
    }

    assertThat(ports).hasSize(16).allMatch(port -> port >= 20_000 && port <= 29_999);
  }

  @Test
  void sameAttemptMeetsAtTheSamePlace() {
    Attempt attempt = attempt("j", "g3");

    assertThat(MeetingPoints.of(attempt, Optional.of(NODE), PORTS))
        .isEqualTo(MeetingPoints.of(attempt, Optional.of(NODE), PORTS))
        .extracting(CommandWriter.Meeting::address)
        .isEqualTo("10.0.0.1");
  }

  @Test
  void smallestRangeStillHasAPort() {
    assertThat(
            MeetingPoints.of(attempt("j", "g9"), Optional.of(NODE), new Ports(5000, 5000)).port())
        .isEqualTo(5000);
    assertThat(MeetingPoints.of(attempt("j", "g9"), Optional.empty(), PORTS).port())
        .isBetween(20_000, 29_999);
  }

  private static Attempt attempt(String job, String device) {
    return Attempt.scheduled(
        new AttemptKey(new JobKey("q", job), 1),
        new ShareKey("q", "s"),
        "H100",
        List.of(Part.assigned(0, "n1", List.of(device))),
        0,
        false);
  }
}
