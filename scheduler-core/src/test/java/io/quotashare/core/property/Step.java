package io.quotashare.core.property;

import io.quotashare.core.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One step of a sequence: what it does, and the line of code that does it.
 *
 * @param code a statement about a variable {@code world}
 * @param run does it
 * @param simpler the same with one trait less
 */
record Step(String code, Consumer<World> run, Supplier<List<Step>> simpler) {
  private static Step of(Consumer<World> run, String format, Object... args) {
    return new Step("world." + String.format(format, args) + ";", run, List::of);
  }

  private static <S extends Sketch<S>> Step of(String name, S sketch, BiConsumer<World, S> run) {
    return new Step(
        "world." + name + "(" + sketch + ");",
        world -> run.accept(world, sketch),
        () -> sketch.simpler().stream().map(s -> of(name, s, run)).toList());
  }

  static Step advance(long millis) {
    return of(world -> world.advance(millis), "advance(%s)", millis);
  }

  static Step submit(JobSketch job) {
    return of("submit", job, World::submit);
  }

  static Step setPriority(String id, int priority) {
    return of(world -> world.setPriority(id, priority), "setPriority(\"%s\", %s)", id, priority);
  }

  static Step cancel(String id) {
    return of(world -> world.cancel(id), "cancel(\"%s\")", id);
  }

  static Step hold(String id) {
    return of(world -> world.hold(id), "hold(\"%s\")", id);
  }

  static Step release(String id) {
    return of(world -> world.release(id), "release(\"%s\")", id);
  }

  static Step requeue(String id, boolean hold) {
    return of(world -> world.requeue(id, hold), "requeue(\"%s\", %s)", id, hold);
  }

  static Step askToSave(String id) {
    return of(world -> world.askToSave(id), "askToSave(\"%s\")", id);
  }

  static Step putShare(ShareSketch share) {
    return of("putShare", share, World::putShare);
  }

  static Step putShareAndDrain(ShareSketch share) {
    return of("putShareAndDrain", share, World::putShareAndDrain);
  }

  static Step putQueue(QueueSketch queue) {
    return of("putQueue", queue, World::putQueue);
  }

  static Step removeShare(String queue, String share) {
    return of(
        world -> world.removeShare(queue, share), "removeShare(\"%s\", \"%s\")", queue, share);
  }

  static Step prune(QueueSketch queue, int keep) {
    return of(world -> world.prune(queue, keep), "prune(%s, %s)", queue, keep);
  }

  static Step exit(String id, int code, long freeAfterMillis) {
    return of(
        world -> world.exit(id, code, freeAfterMillis),
        "exit(\"%s\", %s, %s)",
        id,
        code,
        freeAfterMillis);
  }

  static Step exitRank(String id, int rank, int code) {
    return of(world -> world.exitRank(id, rank, code), "exitRank(\"%s\", %s, %s)", id, rank, code);
  }

  static Step failStart(String id) {
    return of(world -> world.failStart(id), "failStart(\"%s\")", id);
  }

  static Step checkpoint(String id) {
    return of(world -> world.checkpoint(id), "checkpoint(\"%s\")", id);
  }

  static Step sayDone(String id) {
    return of(world -> world.sayDone(id), "sayDone(\"%s\")", id);
  }

  static Step stopNow(String id) {
    return of(world -> world.stopNow(id), "stopNow(\"%s\")", id);
  }

  static Step repeat(String id) {
    return of(world -> world.repeat(id), "repeat(\"%s\")", id);
  }

  static Step register(NodeSketch node) {
    return of("register", node, World::register);
  }

  static Step registerAnew(NodeSketch node) {
    return of("registerAnew", node, World::registerAnew);
  }

  static Step update(NodeSketch node) {
    return of("update", node, World::update);
  }

  static Step order(String node, Node.Order order) {
    return of(world -> world.order(node, order), "order(\"%s\", Node.Order.%s)", node, order);
  }

  static Step silent(String node) {
    return of(world -> world.silent(node), "silent(\"%s\")", node);
  }

  static Step heard(String node) {
    return of(world -> world.heard(node), "heard(\"%s\")", node);
  }

  static Step lost(String node) {
    return of(world -> world.lost(node), "lost(\"%s\")", node);
  }

  static Step attemptLost(String id, String node) {
    return of(world -> world.attemptLost(id, node), "attemptLost(\"%s\", \"%s\")", id, node);
  }

  static Step recovering(boolean value) {
    return of(world -> world.recovering(value), "recovering(%s)", value);
  }

  static Step restore() {
    return of(World::restore, "restore()");
  }

  static Step together(List<Step> steps) {
    String inner = String.join(" ", steps.stream().map(Step::code).toList());
    return new Step(
        "world.together(() -> { " + inner + " });",
        world -> world.together(() -> steps.forEach(step -> step.run.accept(world))),
        () -> withOneLess(steps));
  }

  private static List<Step> withOneLess(List<Step> steps) {
    List<Step> result = new ArrayList<>();
    for (int left = 0; left < steps.size(); left++) {
      List<Step> rest = new ArrayList<>(steps);
      rest.remove(left);
      result.add(rest.size() == 1 ? rest.get(0) : together(rest));
    }
    return result;
  }

  @Override
  public String toString() {
    return code;
  }
}
