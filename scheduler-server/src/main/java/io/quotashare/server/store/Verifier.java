package io.quotashare.server.store;

import io.quotashare.core.Change;

/** Somebody who compares the rows of a {@link StateStore#verify} with what he knows. */
public interface Verifier {
  /**
   * Whether what he knows is of this commit.
   *
   * @return false to have nothing read
   */
  boolean accepts(CommitPoint at);

  /**
   * The next row, in the order of {@link StateStore#load}.
   *
   * @param put the change that put it
   * @return what is wrong with it, such as {@code differs from the state in memory}; empty if
   *     nothing
   */
  String check(Change put);

  /** What is missing among the rows, one sentence each; called once, after the last row. */
  Iterable<String> missing();
}
