package io.quotashare.server.badinput;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What is bad about a field.
 *
 * @param bads bad values
 * @param none why there is none; empty if there are
 */
record Rule(List<Bad> bads, String none) {
  /** The field has bad values. */
  static Rule of(Bad... bads) {
    return new Rule(List.of(bads), "");
  }

  /** Every value that the type allows is good. */
  static Rule none(String why) {
    return new Rule(List.of(), why);
  }

  /** Both values of a bool are good. */
  static Rule bool() {
    return none("both values are good");
  }

  /** A message whose own fields are looked at, and which may be left out. */
  static Rule inside() {
    return none("its fields have rules of their own");
  }

  /** The same, with more bad values. */
  Rule and(Bad... more) {
    List<Bad> all = new ArrayList<>(bads);
    all.addAll(Arrays.asList(more));
    return new Rule(all, "");
  }
}
