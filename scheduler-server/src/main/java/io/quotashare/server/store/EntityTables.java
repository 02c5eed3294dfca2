package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.stream.Collectors.toMap;

import io.quotashare.core.Change;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The tables of the entities, in their order. */
final class EntityTables {
  static final List<EntityTable<?, ?>> ALL =
      Entities.ALL.stream().<EntityTable<?, ?>>map(EntityTables::make).toList();

  /** The same, the other way round: each table before those that its rows refer to. */
  static final List<EntityTable<?, ?>> REVERSED = reversed();

  private static final Map<String, EntityTable<?, ?>> BY_NAME =
      ALL.stream().collect(toMap(EntityTable::name, Function.identity()));

  private EntityTables() {}

  private static List<EntityTable<?, ?>> reversed() {
    List<EntityTable<?, ?>> tables = new ArrayList<>(ALL);
    Collections.reverse(tables);
    return List.copyOf(tables);
  }

  private static <T, P extends Change> EntityTable<T, P> make(Entity<T, P> entity) {
    return new EntityTable<>(entity);
  }

  /** The table of an entity. */
  @SuppressWarnings("unchecked") // Made from the very entity that is asked for.
  static <T> EntityTable<T, ?> of(Entity<T, ?> entity) {
    EntityTable<?, ?> table = BY_NAME.get(entity.table());
    checkArgument(table != null, "no table for %s", entity);
    return (EntityTable<T, ?>) table;
  }
}
