package io.quotashare.server.store;

import io.quotashare.core.Change;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.AttemptState;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobState;
import io.quotashare.core.model.JobTimings;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.Outcome;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.StopCause;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import org.jspecify.annotations.Nullable;

/**
 * Rows of every kind with any values that their constructors allow, derived from the records
 * themselves: a component that is added to one is covered without a change here.
 */
final class RowArbitraries {
  /** Components that take only some of the values of their type. */
  private static final Map<String, Arbitrary<?>> BOUNDED =
      Map.ofEntries(
          Map.entry("Job.priority", Arbitraries.integers().between(0, 9999)),
          Map.entry("JobSpec.retries", Arbitraries.integers().between(0, 10)),
          Map.entry("Shape.nodes", Arbitraries.integers().between(1, Shape.MAX_NODES)),
          Map.entry(
              "Shape.gpusPerNode", Arbitraries.integers().between(1, Shape.MAX_GPUS_PER_NODE)),
          Map.entry("AttemptKey.number", Arbitraries.integers().greaterOrEqual(1)),
          Map.entry("QuotaShare.weight", Arbitraries.integers().greaterOrEqual(1)),
          Map.entry("Loan.gpus", Arbitraries.integers().greaterOrEqual(1)),
          Map.entry("Percent.percent", Arbitraries.integers().greaterOrEqual(-1)),
          Map.entry(
              "JobTimings.saveMillis",
              Arbitraries.longs().list().ofMaxSize(JobTimings.MAX_SAMPLES)),
          Map.entry(
              "Observation.victims",
              Arbitraries.lazy(
                  () -> of(Observation.Victim.class).list().ofMinSize(1).ofMaxSize(3))),
          Map.entry("Only.exitCodes", exitCodes()),
          Map.entry("Except.exitCodes", exitCodes()),
          Map.entry("Plan.cause", Arbitraries.of(StopCause.RECLAIM, StopCause.IN_SHARE)));

  private static final Map<Class<?>, Arbitrary<?>> DERIVED = new HashMap<>();

  private RowArbitraries() {}

  private static Arbitrary<?> exitCodes() {
    return Arbitraries.integers().between(1, 255).set().ofMinSize(1).ofMaxSize(4).map(TreeSet::new);
  }

  /** Any row of an entity. */
  static <T> Arbitrary<T> rows(Entity<T, ?> entity) {
    return of(entity.rowType());
  }

  /** Any change that puts a row. */
  static Arbitrary<Change> puts() {
    return Arbitraries.of(Entities.ALL).flatMap(RowArbitraries::puts);
  }

  private static <T, P extends Change> Arbitrary<Change> puts(Entity<T, P> entity) {
    return rows(entity).map(row -> entity.put().apply(row));
  }

  @SuppressWarnings("unchecked") // What is derived for a type makes values of that type.
  static synchronized <T> Arbitrary<T> of(Class<T> type) {
    Arbitrary<?> known = DERIVED.get(type);
    if (known == null) {
      known = derive(type);
      DERIVED.put(type, known);
    }
    return (Arbitrary<T>) known;
  }

  private static Arbitrary<?> derive(Class<?> type) {
    if (type.isSealed()) {
      return Arbitraries.of(type.getPermittedSubclasses()).flatMap(RowArbitraries::of);
    }
    if (!type.isRecord()) {
      throw new IllegalArgumentException("not a record: " + type);
    }
    List<Arbitrary<Object>> components =
        Arrays.stream(type.getRecordComponents()).map(c -> component(type, c)).toList();
    Constructor<?> constructor = constructor(type);
    return Combinators.combine(components)
        .as(values -> consistent(type, values))
        .map(values -> make(constructor, values));
  }

  private static Constructor<?> constructor(Class<?> type) {
    try {
      Constructor<?> constructor =
          type.getDeclaredConstructor(
              Arrays.stream(type.getRecordComponents())
                  .map(RecordComponent::getType)
                  .toArray(Class<?>[]::new));
      constructor.setAccessible(true);
      return constructor;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object make(Constructor<?> constructor, List<Object> values) {
    try {
      return constructor.newInstance(values.toArray());
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("not consistent: " + values, e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes values that constructors check against each other agree. */
  private static List<Object> consistent(Class<?> type, List<Object> values) {
    Map<String, Object> byName = new HashMap<>();
    RecordComponent[] components = type.getRecordComponents();
    for (int i = 0; i < components.length; i++) {
      byName.put(components[i].getName(), values.get(i));
    }
    if (type == Job.class) {
      boolean ended = ((JobState) byName.get("state")).isTerminal();
      byName.put("endedAtMillis", ended ? OptionalLong.of(5) : OptionalLong.empty());
    } else if (type == Attempt.class) {
      boolean ended = byName.get("state") == AttemptState.ENDED;
      byName.put("outcome", ended ? Outcome.PREEMPTED : null);
    }
    return Arrays.asList(Arrays.stream(components).map(c -> byName.get(c.getName())).toArray());
  }

  @SuppressWarnings("unchecked") // The values are passed to a constructor that checks their types.
  private static Arbitrary<Object> component(Class<?> owner, RecordComponent component) {
    Arbitrary<?> bounded = BOUNDED.get(owner.getSimpleName() + "." + component.getName());
    Arbitrary<?> values =
        bounded != null ? bounded : value(component.getGenericType(), owner, component);
    boolean nullable = isNullable(component.getAnnotatedType());
    return (Arbitrary<Object>) (nullable ? values.injectNull(0.3) : values);
  }

  private static boolean isNullable(AnnotatedType type) {
    return type.isAnnotationPresent(Nullable.class);
  }

  private static Arbitrary<?> value(Type type, Class<?> owner, RecordComponent component) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class) {
        int least = owner == Attempt.class && component.getName().equals("parts") ? 1 : 0;
        int most = component.getName().equals("rejected") ? Plan.MAX_REJECTED : 3;
        return value(arguments[0], owner, component).list().ofMinSize(least).ofMaxSize(most);
      }
      if (generic.getRawType() == SortedMap.class) {
        return Arbitraries.maps(texts(), value(arguments[1], owner, component))
            .ofMaxSize(4)
            .map(TreeMap::new);
      }
      throw new IllegalArgumentException("no values for " + type);
    }
    Class<?> raw = (Class<?>) type;
    if (raw == long.class || raw == Long.class) {
      // Lower bounds that constructors ask for; what is below them is not a row.
      return Arbitraries.longs().between(1, Long.MAX_VALUE);
    }
    if (raw == int.class || raw == Integer.class) {
      return Arbitraries.integers().between(0, Integer.MAX_VALUE);
    }
    if (raw == boolean.class) {
      return Arbitraries.of(true, false);
    }
    if (raw == String.class) {
      return texts();
    }
    if (raw == OptionalLong.class) {
      return Arbitraries.longs().map(OptionalLong::of).injectNull(0.3).map(RowArbitraries::orNone);
    }
    if (raw == OptionalInt.class) {
      return Arbitraries.integers()
          .map(OptionalInt::of)
          .injectNull(0.3)
          .map(n -> n == null ? OptionalInt.empty() : n);
    }
    return raw.isEnum() ? Arbitraries.of(raw.getEnumConstants()) : of(raw);
  }

  private static OptionalLong orNone(@Nullable OptionalLong n) {
    return n == null ? OptionalLong.empty() : n;
  }

  /** Any Unicode text, also what JSON must escape and what needs four bytes. */
  private static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ascii().ofMaxLength(12),
        Arbitraries.strings()
            .withChars('"', '\\', '/', '\n', '\t', '\u0001', 'ä', '\u2028', '東')
            .ofMaxLength(6),
        Arbitraries.of("", "😀", "null", "{}"));
  }
}
