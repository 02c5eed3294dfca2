package io.quotashare.server.failpoint;

/** Is told whenever a {@link Failpoint} is reached. May be called by any thread. */
@FunctionalInterface
public interface Failpoints {
  /** For a scheduler in use: goes on. */
  Failpoints NONE = point -> {};

  /** The scheduler has come to this point; does not return if it is to die there. */
  void reach(Failpoint point);
}
