package io.quotashare.cli.policy;

import java.util.Arrays;
import java.util.List;

/** The constants of an enum that a file may name: all but the one for unknown values of a peer. */
public final class Known {
  private static final String UNRECOGNIZED = "UNRECOGNIZED";

  private Known() {}

  /** In the order of the enum. */
  public static <E extends Enum<E>> List<E> of(Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> !constant.name().equals(UNRECOGNIZED))
        .toList();
  }
}
