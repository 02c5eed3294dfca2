package io.quotashare.core.preemption;

import java.util.Arrays;

/**
 * A set of candidates, and what taking it does. Adding and removing costs the nodes of the
 * candidate; removing also the size of the set where it was the largest of its share.
 */
final class Selection {
  private final Problem problem;
  private final int[] members;
  private final int[] position;
  private final int[] freed;
  private final int[] taken;
  private final int[] largest;
  private int size;
  private int completed;
  private int violations;
  private long cost;

  Selection(Problem problem) {
    this.problem = problem;
    this.members = new int[problem.size()];
    this.position = new int[problem.size()];
    Arrays.fill(position, -1);
    this.freed = new int[problem.deficit.length];
    this.taken = new int[problem.shares()];
    this.largest = new int[problem.shares()];
  }

  int size() {
    return size;
  }

  long cost() {
    return cost;
  }

  boolean contains(int c) {
    return position[c] >= 0;
  }

  /** Member at a place between 0 and {@link #size}; removing another may move it. */
  int member(int place) {
    return members[place];
  }

  /** The members, ascending. */
  int[] toArray() {
    int[] sorted = Arrays.copyOf(members, size);
    Arrays.sort(sorted);
    return sorted;
  }

  /** Devices that come free on a node. */
  int freed(int node) {
    return freed[node];
  }

  /** Devices that a share loses. */
  int taken(int share) {
    return taken[share];
  }

  /** A copy of what every share loses. */
  int[] takenByShare() {
    return taken.clone();
  }

  /** Largest of the members that are of a share; 0 if none. */
  int largest(int share) {
    return largest[share];
  }

  /** Nodes that become large enough. */
  int completed() {
    return completed;
  }

  /** Whether a node is large enough. */
  boolean completes(int node) {
    return freed[node] >= problem.deficit[node];
  }

  /** Whether the shape sits (quota-semantics 4.4). */
  boolean seats() {
    return completed >= problem.need;
  }

  /** Whether the job may be charged. */
  boolean covers() {
    return problem.cover.allows(taken);
  }

  /** Whether no share is named again after it has sunk to its limit (quota-semantics 4.2). */
  boolean isLegal() {
    return violations == 0;
  }

  /** Whether too much is taken from one share. */
  boolean violates(int share) {
    return taken[share] - largest[share] >= problem.above[share];
  }

  boolean isFeasible() {
    return isLegal() && seats() && covers();
  }

  void add(int c) {
    position[c] = size;
    members[size++] = c;
    cost += problem.cost[c];
    int[] nodes = problem.nodesOf[c];
    for (int i = 0; i < nodes.length; i++) {
      boolean before = completes(nodes[i]);
      freed[nodes[i]] += problem.freedOf[c][i];
      if (!before && completes(nodes[i])) {
        completed++;
      }
    }
    int s = problem.share[c];
    boolean violated = violates(s);
    taken[s] += problem.gpus[c];
    largest[s] = Math.max(largest[s], problem.gpus[c]);
    violations += (violates(s) ? 1 : 0) - (violated ? 1 : 0);
  }

  void remove(int c) {
    int place = position[c];
    int last = members[--size];
    members[place] = last;
    position[last] = place;
    position[c] = -1;
    cost -= problem.cost[c];
    int[] nodes = problem.nodesOf[c];
    for (int i = 0; i < nodes.length; i++) {
      boolean before = completes(nodes[i]);
      freed[nodes[i]] -= problem.freedOf[c][i];
      if (before && !completes(nodes[i])) {
        completed--;
      }
    }
    int s = problem.share[c];
    boolean violated = violates(s);
    taken[s] -= problem.gpus[c];
    if (problem.gpus[c] == largest[s]) {
      largest[s] = largestMember(s);
    }
    violations += (violates(s) ? 1 : 0) - (violated ? 1 : 0);
  }

  private int largestMember(int s) {
    int found = 0;
    for (int i = 0; i < size; i++) {
      if (problem.share[members[i]] == s) {
        found = Math.max(found, problem.gpus[members[i]]);
      }
    }
    return found;
  }

  void clear() {
    while (size > 0) {
      remove(members[size - 1]);
    }
  }

  /** Makes this the given set. */
  void set(int[] wanted) {
    clear();
    for (int c : wanted) {
      add(c);
    }
  }
}
