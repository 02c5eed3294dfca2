package io.quotashare.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.JobSpec.LostAfter;
import org.junit.jupiter.api.Test;

class LeasePolicyTest {
  private final LeasePolicy policy = new LeasePolicy(10_000, 300_000, 5, 10_000);

  @Test
  void fenceIsLeaseAndDriftAndGraceAndMargin() {
    assertThat(policy.fencedAfterMillis()).isEqualTo(300_000 + 15_000 + 10_000);
    assertThat(policy.fencedAfterMillis(new LostAfter.Default(), 60_000))
        .as("SIGKILL comes 30 s after the end of the lease")
        .hasValue(300_000 + 15_000 + 30_000 + 10_000);
    assertThat(policy.fencedAfterMillis(new LostAfter.After(1_000), 4_000))
        .as("SIGKILL comes half the grace after the end of the lease")
        .hasValue(1_000 + 50 + 2_000 + 10_000);
    assertThat(policy.fencedAfterMillis(new LostAfter.Never(), 60_000)).isEmpty();
  }

  @Test
  void attemptsAreToldTheirLease() {
    assertThat(policy.lostAfterMillis(new LostAfter.Default())).hasValue(300_000);
    assertThat(policy.lostAfterMillis(new LostAfter.After(7))).hasValue(7);
    assertThat(policy.lostAfterMillis(new LostAfter.Never())).isEmpty();
  }
}
