package io.quotashare.server.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.quotashare.server.badinput.Rpc.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bad values of every field of every request of every service. Each is refused with the documented
 * code, names the field, the value and what was expected, and changes nothing, on disk or in
 * memory.
 */
class InputMatrixTest {
  static Stream<String> methods() {
    return Rpc.all().stream().map(Rpc::name);
  }

  private static Rpc rpc(String name) {
    return Rpc.all().stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
  }

  @Test
  void everyFieldHasARule() {
    List<String> without = new ArrayList<>();
    Set<String> used = new TreeSet<>();
    for (Rpc rpc : Rpc.all()) {
      for (Place place : Place.allOf(rpc.request())) {
        FieldRules.of(place)
            .ifPresentOrElse(rule -> used.add(rule.getKey()), () -> without.add(place.shortKey()));
      }
    }
    assertThat(without)
        .as(
            "fields without a rule: add each to the *Rules class of its service in this package,"
                + " with its bad values (Rule.of), or with the reason why it has none (Rule.none)")
        .isEmpty();
    Set<String> stale = new TreeSet<>(FieldRules.all().keySet());
    stale.removeAll(used);
    assertThat(stale).as("rules of fields that no request has: take them out").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void goodRequestIsTaken(String method) {
    int count;
    try (World world = new World()) {
      count = world.good(method).size();
    }
    assertThat(count).as("add a request that " + method + " takes to World").isPositive();
    for (int i = 0; i < count; i++) {
      try (World world = new World()) {
        Message request = world.good(method).get(i).get();
        Outcome outcome = rpc(method).call(world.server(), request);
        assertThat(Refusal.of(outcome)).as(method + " " + request).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("methods")
  void badValueIsRefusedAndChangesNothing(String method) {
    List<String> wrong = new ArrayList<>();
    Set<String> reached = new TreeSet<>();
    try (World world = new World()) {
      Rpc rpc = rpc(method);
      for (Supplier<Message> good : world.good(method)) {
        for (Place place : Place.allOf(rpc.request())) {
          if (place.isIn(good.get())) {
            reached.add(place.longKey());
            if (!tryAll(world, rpc, place, good, wrong)) {
              assertThat(wrong).isEmpty();
            }
          }
        }
      }
      Set<String> missed = new TreeSet<>();
      Place.allOf(rpc.request()).forEach(place -> missed.add(place.longKey()));
      missed.removeAll(reached);
      assertThat(missed).as("no request in World reaches these: complete it").isEmpty();
    }
    assertThat(wrong).isEmpty();
  }

  /** False if the state was changed, so that further answers mean nothing. */
  private static boolean tryAll(
      World world, Rpc rpc, Place place, Supplier<Message> good, List<String> wrong) {
    Rule rule = FieldRules.of(place).map(Map.Entry::getValue).orElse(Rule.none("no rule"));
    for (Bad bad : rule.bads()) {
      Message request = place.with(good.get(), bad);
      String before = world.state();
      Outcome outcome = rpc.call(world.server(), request);
      String what = rpc.name() + " " + place.path() + " " + bad.what() + ": ";
      Refusal.of(outcome)
          .ifPresentOrElse(
              refusal -> refusal.problems(place, bad).forEach(p -> wrong.add(what + p)),
              () -> wrong.add(what + "taken"));
      if (!world.state().equals(before)) {
        wrong.add(what + "changed the state");
        return false;
      }
    }
    return true;
  }

  @Test
  void everyMethodIsThere() {
    List<String> missing = new ArrayList<>();
    try (World world = new World()) {
      for (Rpc rpc : Rpc.all()) {
        if (isUnimplemented(rpc.call(world.server(), rpc.prototype()))) {
          missing.add(rpc.name());
        }
      }
    }
    assertThat(missing).as("methods of the contract that nobody answers").isEmpty();
  }

  private static boolean isUnimplemented(Outcome outcome) {
    return outcome.error().filter(s -> s.getCode() == Status.Code.UNIMPLEMENTED).isPresent();
  }
}
