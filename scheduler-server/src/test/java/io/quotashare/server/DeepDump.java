package io.quotashare.server;

import com.google.protobuf.MessageLite;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * An object with everything that it reaches, as text: two dumps of the same object are equal if,
 * and only if, nothing in it has changed. Looks into the classes of this project and through the
 * collections of the JDK; code (lambdas) counts by its class.
 */
public final class DeepDump {
  private static final String OURS = "io.quotashare.";

  private final StringBuilder out = new StringBuilder();
  private final IdentityHashMap<Object, Integer> seen = new IdentityHashMap<>();

  private DeepDump() {}

  public static String of(Object root) {
    DeepDump dump = new DeepDump();
    dump.add(root);
    return dump.out.toString();
  }

  private void add(Object value) {
    if (value == null) {
      out.append("null\n");
      return;
    }
    Class<?> type = value.getClass();
    if (value instanceof Map<?, ?> map) {
      out.append("map\n");
      map.forEach(
          (k, v) -> {
            add(k);
            add(v);
          });
      out.append("end\n");
    } else if (value instanceof Collection<?> all) {
      out.append("collection\n");
      all.forEach(this::add);
      out.append("end\n");
    } else if (type.isArray()) {
      out.append("array\n");
      for (int i = 0; i < Array.getLength(value); i++) {
        add(Array.get(value, i));
      }
    } else if (value instanceof Enum<?> || value instanceof MessageLite) {
      out.append(value).append('\n');
    } else if (!type.getName().startsWith(OURS)) {
      out.append(isPlain(type) ? value : type.getName()).append('\n');
    } else if (type.isHidden() || type.isSynthetic()) {
      out.append("code\n");
    } else {
      fields(value, type);
    }
  }

  /** Types whose text says all of them; of anything else of the JDK the name alone is shown. */
  private static boolean isPlain(Class<?> type) {
    return type.getName().startsWith("java.lang.")
        || type.getName().startsWith("java.util.Optional")
        || type.getName().startsWith("java.math.")
        || type.getName().startsWith("com.google.protobuf.");
  }

  private void fields(Object value, Class<?> type) {
    Integer known = seen.putIfAbsent(value, seen.size());
    if (known != null) {
      out.append('#').append(known).append('\n');
      return;
    }
    out.append(type.getSimpleName()).append('\n');
    for (Class<?> c = type; c != null && c.getName().startsWith(OURS); c = c.getSuperclass()) {
      for (Field field : c.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          out.append(field.getName()).append('=');
          add(read(field, value));
        }
      }
    }
    out.append("end\n");
  }

  private static Object read(Field field, Object of) {
    try {
      field.setAccessible(true);
      return field.get(of);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
