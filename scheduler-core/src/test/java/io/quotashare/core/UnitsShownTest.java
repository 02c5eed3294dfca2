package io.quotashare.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A queue shows the units that its nodes have, its shares own or its jobs wait for. */
class UnitsShownTest {
  private final Desk desk = new Desk();

  UnitsShownTest() {
    desk.queue(PreemptionMode.ENFORCE);
    desk.share("owner", 4, true);
    desk.node("n1", 4);
  }

  private List<String> units() {
    return desk.scheduler().view("q").pools().stream().map(QueueView.PoolView::unit).toList();
  }

  private void other(Map<String, Integer> capacity, AdminState state) {
    desk.scheduler()
        .putShare(
            new QuotaShare(
                new ShareKey("q", "other"),
                new TreeMap<>(capacity),
                Strategy.LEND,
                new Limit.Percent(0),
                new Limit.Percent(100),
                false,
                Ordering.STRICT,
                1,
                0,
                state),
            false,
            desk.now());
    desk.decide();
  }

  @Test
  void aUnitGoesWithTheLastShareThatOwnsIt() {
    other(Map.of("H200", 1), AdminState.DISABLED);
    assertThat(units()).containsExactly("H100", "H200");

    desk.scheduler().removeShare(new ShareKey("q", "other"), desk.now());
    desk.decide();
    assertThat(units()).containsExactly("H100");
  }

  @Test
  void aUnitGoesWhenNoShareOwnsItAnyMore() {
    other(Map.of("H200", 1), AdminState.ENABLED);
    other(Map.of("H100", 1), AdminState.ENABLED);
    assertThat(units()).containsExactly("H100");
  }

  @Test
  void aUnitWithoutDevicesIsShownWhileAShareNamesIt() {
    other(Map.of("H200", 0), AdminState.ENABLED);
    assertThat(units()).containsExactly("H100", "H200");
  }
}
