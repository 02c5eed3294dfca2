package io.quotashare.client.internal;

import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sets optional fields of messages. */
final class Opt {
  private Opt() {}

  static <T> void set(@Nullable T value, Consumer<T> setter) {
    if (value != null) {
      setter.accept(value);
    }
  }

  static <T, M> void set(@Nullable T value, Function<T, M> convert, Consumer<M> setter) {
    if (value != null) {
      setter.accept(convert.apply(value));
    }
  }
}
