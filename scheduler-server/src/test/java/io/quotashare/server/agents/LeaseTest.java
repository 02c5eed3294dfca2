package io.quotashare.server.agents;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaseTest {
  @Test
  void heartbeatThatCameInBetweenKeepsTheLease() {
    Lease lease = new Lease(100);
    long seen = lease.heardNanos();
    assertThat(lease.heard(200)).isTrue();

    assertThat(lease.expire(seen)).isFalse();
    assertThat(lease.heardNanos()).isEqualTo(200);
  }

  @Test
  void heartbeatAfterTheEndIsRefused() {
    Lease lease = new Lease(100);
    assertThat(lease.expire(100)).isTrue();

    assertThat(lease.heard(200)).isFalse();
  }

  @Test
  void olderReadingDoesNotShortenTheLease() {
    Lease lease = new Lease(200);

    assertThat(lease.heard(100)).isTrue();
    assertThat(lease.heardNanos()).isEqualTo(200);
  }
}
