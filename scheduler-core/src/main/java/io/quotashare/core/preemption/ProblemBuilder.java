package io.quotashare.core.preemption;

import static io.quotashare.core.model.Check.checkArgument;

import io.quotashare.core.model.ShareKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Brings a question into arrays, and leaves out what can be in no admissible set: candidates of
 * shares at or under their limit (quota-semantics 4.2); nodes that cannot become large enough
 * whatever is taken; candidates that neither free a device on a node that counts nor serve the
 * cover.
 */
final class ProblemBuilder {
  private static final Comparator<Candidate> NEWEST_FIRST =
      Comparator.comparingLong(Candidate::scheduledAtMillis)
          .reversed()
          .thenComparing(Candidate::job);

  final int need;
  final int[] above;
  final Cover cover;
  Candidate[] candidates = new Candidate[0];
  int[] share = new int[0];
  int[] deficit = new int[0];
  int[][] nodesOf = new int[0][];
  int[][] freedOf = new int[0][];

  private ProblemBuilder(int need, int[] above, Cover cover) {
    this.need = need;
    this.above = above;
    this.cover = cover;
  }

  static ProblemBuilder of(Question question, List<Candidate> allowed) {
    Set<ShareKey> names = new HashSet<>();
    for (Candidate candidate : allowed) {
      names.add(candidate.share());
    }
    ShareKey[] shares = names.stream().sorted().toArray(ShareKey[]::new);
    int[] above = new int[shares.length];
    Map<ShareKey, Integer> shareIndex = new HashMap<>();
    for (int s = 0; s < shares.length; s++) {
      shareIndex.put(shares[s], s);
      above[s] = aboveOf(question, shares[s]);
    }
    Cover cover = new Cover(question.cover(), shares);
    int need = question.shape().nodes() - readyNodes(question);
    ProblemBuilder builder = new ProblemBuilder(need, above, cover);
    builder.sort(allowed, shareIndex);
    builder.linkNodes(builder.indexShortNodes(question));
    return builder;
  }

  static ProblemBuilder without(Problem problem, boolean[] barred) {
    ProblemBuilder builder = new ProblemBuilder(problem.need, problem.above, problem.cover);
    builder.candidates = problem.candidates.clone();
    builder.share = problem.share.clone();
    builder.nodesOf = problem.nodesOf.clone();
    builder.freedOf = problem.freedOf.clone();
    builder.deficit = problem.deficit;
    builder.keep(barred, false);
    return builder;
  }

  Problem build() {
    dropNodes(completable());
    if (cover.always()) {
      boolean[] useful = new boolean[candidates.length];
      for (int c = 0; c < useful.length; c++) {
        useful[c] = nodesOf[c].length > 0;
      }
      keep(useful, true);
    }
    return new Problem(this);
  }

  private static int aboveOf(Question question, ShareKey share) {
    if (share.equals(question.beneficiaryShare())) {
      return Problem.NO_BOUND;
    }
    Integer devices = question.above().get(share);
    checkArgument(devices != null, "above: nothing for %s (expected: devices, 0 or more)", share);
    return devices;
  }

  private static int readyNodes(Question question) {
    int ready = 0;
    for (int room : question.room().values()) {
      if (room >= question.shape().gpusPerNode()) {
        ready++;
      }
    }
    return ready;
  }

  private void sort(List<Candidate> allowed, Map<ShareKey, Integer> shareIndex) {
    int count = 0;
    Candidate[] unsorted = new Candidate[allowed.size()];
    int[] shareOf = new int[allowed.size()];
    long[] rank = new long[allowed.size()];
    long[] cost = new long[allowed.size()];
    for (Candidate candidate : allowed) {
      int s = shareIndex.get(candidate.share());
      if (above[s] > 0) {
        rank[count] = rank(s, candidate);
        cost[count] = candidate.costDeviceMillis();
        shareOf[count] = s;
        unsorted[count++] = candidate;
      }
    }
    int[] order =
        IntSort.indices(
            count,
            (a, b) -> {
              if (rank[a] != rank[b]) {
                return Long.compare(rank[a], rank[b]);
              }
              return cost[a] != cost[b]
                  ? Long.compare(cost[a], cost[b])
                  : NEWEST_FIRST.compare(unsorted[a], unsorted[b]);
            });
    candidates = new Candidate[count];
    share = new int[count];
    for (int c = 0; c < count; c++) {
      candidates[c] = unsorted[order[c]];
      share[c] = shareOf[order[c]];
      checkArgument(
          c == 0
              || rank[order[c - 1]] != rank[order[c]]
              || NEWEST_FIRST.compare(candidates[c - 1], candidates[c]) != 0,
          "candidates: %s twice (expected: each once)",
          candidates[c].job());
    }
  }

  /** Share, kind and priority in one number, because these are compared most. */
  private static long rank(int s, Candidate candidate) {
    int plan = candidate.kind() == Candidate.Kind.PLAN ? 1 : 0;
    return ((2L * s + plan) << 32) + (candidate.priority() - (long) Integer.MIN_VALUE);
  }

  /** Numbers the nodes that lack devices, by name; none if the shape sits without victims. */
  private Map<String, Integer> indexShortNodes(Question question) {
    Map<String, Integer> nodeIndex = new HashMap<>();
    if (need <= 0) {
      return nodeIndex;
    }
    int perNode = question.shape().gpusPerNode();
    deficit = new int[question.room().size()];
    for (Map.Entry<String, Integer> room : question.room().entrySet()) {
      if (room.getValue() < perNode) {
        deficit[nodeIndex.size()] = perNode - room.getValue();
        nodeIndex.put(room.getKey(), nodeIndex.size());
      }
    }
    deficit = Arrays.copyOf(deficit, nodeIndex.size());
    return nodeIndex;
  }

  private void linkNodes(Map<String, Integer> nodeIndex) {
    nodesOf = new int[candidates.length][];
    freedOf = new int[candidates.length][];
    for (int c = 0; c < candidates.length; c++) {
      int[] nodes = new int[candidates[c].freed().size()];
      int[] freed = new int[nodes.length];
      int count = 0;
      for (Map.Entry<String, Integer> entry : candidates[c].freed().entrySet()) {
        checkArgument(entry.getValue() >= 0, "freed: %s (expected: >= 0)", entry);
        Integer node = nodeIndex.get(entry.getKey());
        if (node != null && entry.getValue() > 0) {
          nodes[count] = node;
          freed[count++] = entry.getValue();
        }
      }
      nodesOf[c] = count == nodes.length ? nodes : Arrays.copyOf(nodes, count);
      freedOf[c] = count == nodes.length ? freed : Arrays.copyOf(freed, count);
    }
  }

  /**
   * Which nodes all candidates together could complete. From another share at most its excess less
   * one, and one more attempt, can be taken (quota-semantics 4.2).
   */
  private boolean[] completable() {
    int nodes = deficit.length;
    long[] possible = new long[nodes];
    long[] ofShare = new long[nodes];
    int[] largest = new int[nodes];
    int start = 0;
    for (int end = 1; end <= candidates.length; end++) {
      if (end < candidates.length && share[end] == share[start]) {
        continue;
      }
      boolean bounded = above[share[start]] != Problem.NO_BOUND;
      for (int c = start; c < end; c++) {
        for (int i = 0; i < nodesOf[c].length; i++) {
          ofShare[nodesOf[c][i]] += freedOf[c][i];
          largest[nodesOf[c][i]] = Math.max(largest[nodesOf[c][i]], freedOf[c][i]);
          bounded &= freedOf[c][i] <= candidates[c].gpus();
        }
      }
      long bound = bounded ? above[share[start]] - 1L : Integer.MAX_VALUE;
      for (int c = start; c < end; c++) {
        for (int node : nodesOf[c]) {
          possible[node] += Math.min(ofShare[node], bound + largest[node]);
          ofShare[node] = 0;
          largest[node] = 0;
        }
      }
      start = end;
    }
    boolean[] completable = new boolean[nodes];
    for (int node = 0; node < nodes; node++) {
      completable[node] = possible[node] >= deficit[node];
    }
    return completable;
  }

  private void dropNodes(boolean[] kept) {
    int[] number = new int[deficit.length];
    int[] left = new int[deficit.length];
    int count = 0;
    for (int node = 0; node < deficit.length; node++) {
      number[node] = kept[node] ? count : -1;
      if (kept[node]) {
        left[count++] = deficit[node];
      }
    }
    if (count == deficit.length) {
      return;
    }
    deficit = Arrays.copyOf(left, count);
    for (int c = 0; c < candidates.length; c++) {
      int[] nodes = new int[nodesOf[c].length];
      int[] freed = new int[nodes.length];
      int size = 0;
      for (int i = 0; i < nodes.length; i++) {
        if (number[nodesOf[c][i]] >= 0) {
          nodes[size] = number[nodesOf[c][i]];
          freed[size++] = freedOf[c][i];
        }
      }
      nodesOf[c] = Arrays.copyOf(nodes, size);
      freedOf[c] = Arrays.copyOf(freed, size);
    }
  }

  /** Keeps the candidates that are marked as wanted. */
  private void keep(boolean[] marks, boolean wanted) {
    int count = 0;
    for (int c = 0; c < marks.length; c++) {
      if (marks[c] == wanted) {
        candidates[count] = candidates[c];
        share[count] = share[c];
        nodesOf[count] = nodesOf[c];
        freedOf[count++] = freedOf[c];
      }
    }
    candidates = Arrays.copyOf(candidates, count);
    share = Arrays.copyOf(share, count);
    nodesOf = Arrays.copyOf(nodesOf, count);
    freedOf = Arrays.copyOf(freedOf, count);
  }

  int[][] candidatesAt() {
    int[] count = new int[deficit.length];
    for (int[] nodes : nodesOf) {
      for (int node : nodes) {
        count[node]++;
      }
    }
    int[][] candidatesAt = new int[deficit.length][];
    for (int node = 0; node < deficit.length; node++) {
      candidatesAt[node] = new int[count[node]];
      count[node] = 0;
    }
    for (int c = 0; c < nodesOf.length; c++) {
      for (int node : nodesOf[c]) {
        candidatesAt[node][count[node]++] = c;
      }
    }
    return candidatesAt;
  }
}
