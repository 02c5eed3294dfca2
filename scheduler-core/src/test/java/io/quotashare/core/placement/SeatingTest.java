package io.quotashare.core.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.core.model.Shape;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SeatingTest {
  @Test
  void enoughDevicesInSumButScatteredDoNotFit() {
    assertThat(Seating.fits(new Shape(1, 4), Map.of("a", 3, "b", 3))).isFalse();
    assertThat(Seating.fits(new Shape(2, 3), Map.of("a", 3, "b", 3))).isTrue();
    assertThat(Seating.fits(new Shape(2, 3), Map.of("a", 6, "b", 2))).isFalse();
    assertThat(Seating.places(new Shape(1, 4), Map.of("a", 3, "b", 3), Map.of())).isEmpty();
  }

  @Test
  void theTightestNodeIsTakenSoThatWholeNodesStayWhole() {
    assertThat(Seating.places(new Shape(1, 2), Map.of("a", 8, "b", 3, "c", 2), Map.of()))
        .hasValue(new TreeMap<>(Map.of("c", 2)));
  }

  @Test
  void devicesThatAreLeavingAnywayAreTakenFirst() {
    assertThat(Seating.places(new Shape(1, 2), Map.of("a", 2, "b", 5), Map.of("b", 2)))
        .hasValue(new TreeMap<>(Map.of("b", 2)));
    assertThat(Seating.places(new Shape(1, 2), Map.of("a", 4, "b", 5), Map.of("a", 1, "b", 2)))
        .hasValue(new TreeMap<>(Map.of("b", 2)));
  }

  @Test
  void equalNodesAreTakenByName() {
    assertThat(Seating.places(new Shape(2, 4), Map.of("c", 4, "a", 4, "b", 4), Map.of()))
        .hasValue(new TreeMap<>(Map.of("a", 4, "b", 4)));
  }
}
