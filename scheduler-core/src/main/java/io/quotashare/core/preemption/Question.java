package io.quotashare.core.preemption;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a victim search is asked.
 *
 * @param beneficiaryShare share of the job that is to start
 * @param shape what it needs
 * @param room devices that it could sit on without any victim, by node: free or coming free, and
 *     claimed by nobody else; negative where others wait there for more than is coming; nodes that
 *     take no work are not listed, and freeing devices there does not help. Every node of the pool
 *     that takes work is listed, also with 0.
 * @param coming part of {@code room} that is still on its way out; places there are preferred, so
 *     that devices that are free already stay startable for others (quota-semantics 1)
 * @param candidates what may be taken, in any order; own attempts of lower priority and what other
 *     shares above their limit hold
 * @param above for every other share with candidates: its use above its limit, in devices, before
 *     anything is taken
 * @param cover whether the job may be charged after this much was taken from each share: limits and
 *     cover of both (quota-semantics 1, 3, 5.3); monotone: taking more never makes it false
 * @param nowMillis the instant
 */
public record Question(
    ShareKey beneficiaryShare,
    Shape shape,
    SortedMap<String, Integer> room,
    SortedMap<String, Integer> coming,
    List<Candidate> candidates,
    Map<ShareKey, Integer> above,
    Cover cover,
    long nowMillis) {
  /** Whether the job may be charged after some devices were taken from shares. */
  @FunctionalInterface
  public interface Cover {
    /**
     * @param takenByShare devices taken, by share; shares that are not listed lose nothing
     */
    boolean allows(Map<ShareKey, Integer> takenByShare);
  }

  public Question {
    requireNonNull(beneficiaryShare, "beneficiaryShare is null");
    requireNonNull(shape, "shape is null");
    room = new TreeMap<>(room);
    coming = new TreeMap<>(coming);
    candidates = List.copyOf(candidates);
    above = Map.copyOf(above);
    requireNonNull(cover, "cover is null");
  }
}
