package io.quotashare.client.internal;

import io.grpc.MethodDescriptor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What differs between the watches of the API. One instance serves one watch, and is called by one
 * thread at a time.
 *
 * @param <Q> request
 * @param <R> response
 * @param <E> event of the client
 */
interface WatchProtocol<Q, R, E> {
  /** For messages: "jobs". */
  String what();

  MethodDescriptor<Q, R> method();

  /**
   * The request that begins a watch.
   *
   * @param begunAnew true where the revision to resume from was no longer kept: the present state
   *     is asked for, whatever the options say
   */
  Q begin(boolean begunAnew);

  /** The request that goes on after a revision. */
  Q resume(long revision);

  long revision(R response);

  /** Null for a bookmark. */
  @Nullable E event(R response);

  /**
   * True if an event cannot be part of the present state that a watch begins with. A bookmark never
   * is.
   */
  boolean endsBeginning(E event);

  /** Events that follow from the present state as a whole, such as what it no longer has. */
  default List<E> completeBeginning(long revision) {
    return List.of();
  }
}
