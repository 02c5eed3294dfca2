package io.quotashare.agent.nvml;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a call: a value, or the code that says why there is none.
 *
 * @param code return code
 * @param value the answer; null exactly if the code is not {@link NvmlReturn#SUCCESS}
 * @param <T> type of the answer
 */
public record NvmlResult<T>(NvmlReturn code, @Nullable T value) {

  /** Checks that there is a value or a reason, not both. */
  public NvmlResult {
    requireNonNull(code, "code is null");
    if ((code == NvmlReturn.SUCCESS) != (value != null)) {
      throw new IllegalArgumentException(
          "value: " + value + " with " + code + " (expected: a value exactly with SUCCESS)");
    }
  }

  /** A value. */
  public static <T> NvmlResult<T> of(T value) {
    return new NvmlResult<>(NvmlReturn.SUCCESS, requireNonNull(value, "value is null"));
  }

  /** A code other than {@link NvmlReturn#SUCCESS}. */
  public static <T> NvmlResult<T> error(NvmlReturn code) {
    return new NvmlResult<>(code, null);
  }

  /** Whether there is a value. */
  public boolean ok() {
    return value != null;
  }

  /**
   * The value.
   *
   * @throws IllegalStateException if there is none
   */
  public T get() {
    if (value == null) {
      throw new IllegalStateException("no value: " + code.text());
    }
    return value;
  }

  /** The value, if there is one. */
  public Optional<T> optional() {
    return Optional.ofNullable(value);
  }

  /** The same with the value changed. */
  public <R> NvmlResult<R> map(Function<T, R> change) {
    return value == null ? error(code) : of(change.apply(value));
  }
}
