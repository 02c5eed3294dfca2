package io.quotashare.cli.demo;

import static java.util.Objects.requireNonNull;

/**
 * One thing that should have happened.
 *
 * @param text what, in words
 * @param holds whether it did
 * @param found what happened instead; shown where it does not hold
 */
record Expectation(String text, boolean holds, String found) {
  Expectation {
    requireNonNull(text, "text");
    requireNonNull(found, "found");
  }
}
