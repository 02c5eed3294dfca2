package io.quotashare.core.lifecycle;

import static io.quotashare.core.model.Check.checkArgument;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which event leads from which state to which: data, not code, so that it can be tested whole and
 * drawn.
 *
 * @param <S> states
 * @param <E> events
 */
public final class TransitionTable<S extends Enum<S>, E extends Enum<E>> {
  private final Class<S> states;
  private final Class<E> events;
  private final Map<S, Map<E, S>> table;

  private TransitionTable(Class<S> states, Class<E> events, Map<S, Map<E, S>> table) {
    this.states = states;
    this.events = events;
    this.table = table;
  }

  /** Starts a table. */
  public static <S extends Enum<S>, E extends Enum<E>> Builder<S, E> of(
      Class<S> states, Class<E> events) {
    return new Builder<>(states, events);
  }

  /** Where the event leads; empty if it is not legal in the state. */
  public Optional<S> next(S state, E event) {
    Map<E, S> row = table.get(state);
    return row == null ? Optional.empty() : Optional.ofNullable(row.get(event));
  }

  /** All states, in their order. */
  public S[] states() {
    return states.getEnumConstants();
  }

  /** All events, in their order. */
  public E[] events() {
    return events.getEnumConstants();
  }

  /** Collects transitions. */
  public static final class Builder<S extends Enum<S>, E extends Enum<E>> {
    private final Class<S> states;
    private final Class<E> events;
    private final Map<S, Map<E, S>> table;

    private Builder(Class<S> states, Class<E> events) {
      this.states = states;
      this.events = events;
      this.table = new EnumMap<>(states);
    }

    /** Adds one transition; a state and event may be named once. */
    public Builder<S, E> add(S from, E event, S to) {
      S before = table.computeIfAbsent(from, s -> new EnumMap<>(events)).put(event, to);
      checkArgument(before == null, "transition named twice: %s on %s", from, event);
      return this;
    }

    public TransitionTable<S, E> build() {
      return new TransitionTable<>(states, events, table);
    }
  }
}
