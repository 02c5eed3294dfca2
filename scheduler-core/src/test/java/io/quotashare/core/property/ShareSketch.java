package io.quotashare.core.property;

import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import java.util.TreeMap;

/**
 * A share as a test writes it down: lends and borrows without limit, without in-share preemption.
 */
final class ShareSketch extends Sketch<ShareSketch> {
  private final String name;
  private String queue = "q";
  private final TreeMap<String, Integer> capacity = new TreeMap<>();
  private Strategy strategy = Strategy.LEND_AND_BORROW;
  private Limit borrowLimit = new Limit.Percent(-1);
  private Limit lendLimit = new Limit.Percent(100);
  private boolean inShare;
  private Ordering ordering = Ordering.STRICT;
  private int weight = 1;
  private long minRuntimeMillis;
  private AdminState state = AdminState.ENABLED;

  private ShareSketch(String name) {
    super("share(\"" + name + "\")");
    this.name = name;
  }

  static ShareSketch share(String name) {
    return new ShareSketch(name);
  }

  ShareSketch queue(String value) {
    return trait(String.format("queue(\"%s\")", value), s -> s.queue = value);
  }

  ShareSketch owns(int devices) {
    return trait(String.format("owns(%s)", devices), s -> s.capacity.put("H100", devices));
  }

  ShareSketch owns(String unit, int devices) {
    return trait(
        String.format("owns(\"%s\", %s)", unit, devices), s -> s.capacity.put(unit, devices));
  }

  ShareSketch reserve() {
    return trait("reserve()", s -> s.strategy = Strategy.RESERVE);
  }

  ShareSketch lend() {
    return trait("lend()", s -> s.strategy = Strategy.LEND);
  }

  ShareSketch borrowPercent(int percent) {
    return trait(
        String.format("borrowPercent(%s)", percent),
        s -> s.borrowLimit = new Limit.Percent(percent));
  }

  ShareSketch borrows(String unit, int devices) {
    return trait(
        String.format("borrows(\"%s\", %s)", unit, devices),
        s -> s.borrowLimit = new Limit.Devices(new TreeMap<>(java.util.Map.of(unit, devices))));
  }

  ShareSketch lendPercent(int percent) {
    return trait(
        String.format("lendPercent(%s)", percent), s -> s.lendLimit = new Limit.Percent(percent));
  }

  ShareSketch lends(String unit, int devices) {
    return trait(
        String.format("lends(\"%s\", %s)", unit, devices),
        s -> s.lendLimit = new Limit.Devices(new TreeMap<>(java.util.Map.of(unit, devices))));
  }

  ShareSketch inShare() {
    return trait("inShare()", s -> s.inShare = true);
  }

  ShareSketch backfill() {
    return trait("backfill()", s -> s.ordering = Ordering.BACKFILL);
  }

  ShareSketch weight(int value) {
    return trait(String.format("weight(%s)", value), s -> s.weight = value);
  }

  ShareSketch minRuntime(long millis) {
    return trait(String.format("minRuntime(%s)", millis), s -> s.minRuntimeMillis = millis);
  }

  ShareSketch disabled() {
    return trait("disabled()", s -> s.state = AdminState.DISABLED);
  }

  QuotaShare build() {
    return new QuotaShare(
        new ShareKey(queue, name),
        capacity,
        strategy,
        borrowLimit,
        lendLimit,
        inShare,
        ordering,
        weight,
        minRuntimeMillis,
        state);
  }

  String name() {
    return name;
  }

  @Override
  ShareSketch self() {
    return this;
  }

  @Override
  ShareSketch plain() {
    return new ShareSketch(name);
  }
}
