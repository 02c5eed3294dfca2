package io.quotashare.core.preemption;

import static io.quotashare.core.model.Check.checkArgument;

import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A question as arrays: candidates, shares and nodes by number, in an order that does not depend on
 * the order of the question. What can be in no admissible set is left out: candidates of shares at
 * or under their limit (quota-semantics 4.2), nodes that cannot become large enough whatever is
 * taken, and candidates that neither free a device on a node that counts nor are needed for cover.
 */
final class Problem {
  /** Own attempts have no limit that ends the taking. */
  static final int NO_BOUND = Integer.MAX_VALUE;

  /** By job; a plan before an attempt of the same job. */
  static final Comparator<Candidate> BY_NAME =
      Comparator.comparing(Candidate::job)
          .thenComparing(Candidate::kind, Comparator.reverseOrder());

  /** By share, priority, price; the newest of equals first (quota-semantics 4.5). */
  private static final Comparator<Candidate> ORDER =
      Comparator.comparing(Candidate::share)
          .thenComparing(Candidate::kind)
          .thenComparingInt(Candidate::priority)
          .thenComparingLong(Candidate::costDeviceMillis)
          .thenComparing(Comparator.comparingLong(Candidate::scheduledAtMillis).reversed())
          .thenComparing(BY_NAME);

  /** Nodes that must become large enough besides those that are; 0 or less if it sits already. */
  final int need;

  /** Devices that each node lacks, for those that may be completed. */
  final int[] deficit;

  /** Candidates that free devices on each node, ascending. */
  final int[][] candidatesAt;

  final Candidate[] candidates;
  final int[] share;
  final int[] gpus;
  final int[] priority;
  final long[] cost;
  final boolean[] plan;

  /** Nodes where each candidate frees devices, and how many. */
  final int[][] nodesOf;

  final int[][] freedOf;

  /** Use above the limit of each share; {@link #NO_BOUND} for the beneficiary's own. */
  final int[] above;

  final Cover cover;

  private Problem(Builder b) {
    this.need = b.need;
    this.deficit = b.deficit;
    this.candidatesAt = b.candidatesAt;
    this.candidates = b.kept;
    this.share = b.share;
    this.above = b.above;
    this.cover = b.cover;
    this.nodesOf = b.nodesOf;
    this.freedOf = b.freedOf;
    int n = candidates.length;
    this.gpus = new int[n];
    this.priority = new int[n];
    this.cost = new long[n];
    this.plan = new boolean[n];
    for (int c = 0; c < n; c++) {
      gpus[c] = candidates[c].gpus();
      priority[c] = candidates[c].priority();
      cost[c] = candidates[c].costDeviceMillis();
      plan[c] = candidates[c].kind() == Candidate.Kind.PLAN;
    }
  }

  /**
   * @param allowed those of the question's candidates that may be taken
   */
  static Problem of(Question question, List<Candidate> allowed) {
    return new Problem(new Builder(question, allowed));
  }

  int size() {
    return candidates.length;
  }

  int shares() {
    return above.length;
  }

  /** Whether {@code other} is an attempt of lower priority than attempt {@code c} of its share. */
  boolean isLower(int other, int c) {
    return share[other] == share[c] && !plan[other] && !plan[c] && priority[other] < priority[c];
  }

  /** Devices that taking {@code c} frees on {@code node}. */
  int freed(int c, int node) {
    int at = Arrays.binarySearch(nodesOf[c], node);
    return at < 0 ? 0 : freedOf[c][at];
  }

  /** Brings a question into arrays, step by step. */
  private static final class Builder {
    private final Question question;
    private final ShareKey[] shares;
    private final int[] above;
    private final Cover cover;
    private final int need;
    private Candidate[] kept;
    private int[] share;
    private int[] deficit = new int[0];
    private int[][] nodesOf;
    private int[][] freedOf;
    private int[][] candidatesAt = new int[0][];

    Builder(Question question, List<Candidate> allowed) {
      this.question = question;
      TreeSet<ShareKey> names = new TreeSet<>();
      allowed.forEach(c -> names.add(c.share()));
      this.shares = names.toArray(ShareKey[]::new);
      this.above = new int[shares.length];
      Map<ShareKey, Integer> shareIndex = new HashMap<>();
      for (int s = 0; s < shares.length; s++) {
        shareIndex.put(shares[s], s);
        above[s] = aboveOf(shares[s]);
      }
      this.cover = new Cover(question.cover(), shares);
      this.need = question.shape().nodes() - readyNodes();
      Candidate[] takeable =
          allowed.stream()
              .filter(c -> above[shareIndex.get(c.share())] > 0)
              .sorted(ORDER)
              .toArray(Candidate[]::new);
      link(takeable, shareIndex);
      dropNodes(completable());
      dropUseless();
      indexNodes();
    }

    private int aboveOf(ShareKey name) {
      if (name.equals(question.beneficiaryShare())) {
        return NO_BOUND;
      }
      Integer devices = question.above().get(name);
      checkArgument(devices != null, "above: nothing for %s (expected: devices >= 0)", name);
      return devices;
    }

    private int readyNodes() {
      int ready = 0;
      for (int room : question.room().values()) {
        checkArgument(room >= 0, "room: %s (expected: >= 0)", room);
        if (room >= question.shape().gpusPerNode()) {
          ready++;
        }
      }
      return ready;
    }

    private void link(Candidate[] takeable, Map<ShareKey, Integer> shareIndex) {
      Map<String, Integer> nodeIndex = indexShortNodes();
      kept = takeable;
      share = new int[takeable.length];
      nodesOf = new int[takeable.length][];
      freedOf = new int[takeable.length][];
      for (int c = 0; c < takeable.length; c++) {
        share[c] = shareIndex.get(takeable[c].share());
        int[] nodes = new int[takeable[c].freed().size()];
        int[] freed = new int[nodes.length];
        int count = 0;
        for (Map.Entry<String, Integer> entry : takeable[c].freed().entrySet()) {
          checkArgument(entry.getValue() >= 0, "freed: %s (expected: >= 0)", entry);
          Integer node = nodeIndex.get(entry.getKey());
          if (node != null && entry.getValue() > 0) {
            nodes[count] = node;
            freed[count++] = entry.getValue();
          }
        }
        nodesOf[c] = Arrays.copyOf(nodes, count);
        freedOf[c] = Arrays.copyOf(freed, count);
      }
    }

    /** Numbers the nodes that lack devices, by name; none if the shape sits without victims. */
    private Map<String, Integer> indexShortNodes() {
      Map<String, Integer> nodeIndex = new HashMap<>();
      if (need <= 0) {
        return nodeIndex;
      }
      int perNode = question.shape().gpusPerNode();
      deficit = new int[question.room().size()];
      question
          .room()
          .forEach(
              (node, room) -> {
                if (room < perNode) {
                  deficit[nodeIndex.size()] = perNode - room;
                  nodeIndex.put(node, nodeIndex.size());
                }
              });
      deficit = Arrays.copyOf(deficit, nodeIndex.size());
      return nodeIndex;
    }

    /**
     * Which nodes all candidates together could complete. From another share at most its excess
     * less one, and one more attempt, can be taken (quota-semantics 4.2).
     */
    private boolean[] completable() {
      int nodes = deficit.length;
      long[] possible = new long[nodes];
      long[] ofShare = new long[nodes];
      int[] largest = new int[nodes];
      List<Integer> touched = new ArrayList<>();
      boolean[] freesAtMostItsUse = freesAtMostItsUse();
      for (int c = 0; c < kept.length; c++) {
        for (int i = 0; i < nodesOf[c].length; i++) {
          int node = nodesOf[c][i];
          if (ofShare[node] == 0) {
            touched.add(node);
          }
          ofShare[node] += freedOf[c][i];
          largest[node] = Math.max(largest[node], freedOf[c][i]);
        }
        if (c + 1 == kept.length || share[c + 1] != share[c]) {
          long bound = freesAtMostItsUse[share[c]] ? above[share[c]] - 1L : NO_BOUND;
          for (int node : touched) {
            possible[node] += Math.min(ofShare[node], bound + largest[node]);
            ofShare[node] = 0;
            largest[node] = 0;
          }
          touched.clear();
        }
      }
      boolean[] completable = new boolean[nodes];
      for (int node = 0; node < nodes; node++) {
        completable[node] = possible[node] >= deficit[node];
      }
      return completable;
    }

    /** Shares whose candidates free no more devices on any node than the use sinks by. */
    private boolean[] freesAtMostItsUse() {
      boolean[] atMost = new boolean[above.length];
      Arrays.fill(atMost, true);
      for (int c = 0; c < kept.length; c++) {
        for (int freed : freedOf[c]) {
          atMost[share[c]] &= freed <= kept[c].gpus();
        }
      }
      return atMost;
    }

    private void dropNodes(boolean[] keep) {
      int[] number = new int[deficit.length];
      int count = 0;
      for (int node = 0; node < deficit.length; node++) {
        number[node] = keep[node] ? count : -1;
        if (keep[node]) {
          deficit[count++] = deficit[node];
        }
      }
      deficit = Arrays.copyOf(deficit, count);
      for (int c = 0; c < kept.length; c++) {
        int left = 0;
        for (int i = 0; i < nodesOf[c].length; i++) {
          if (number[nodesOf[c][i]] >= 0) {
            nodesOf[c][left] = number[nodesOf[c][i]];
            freedOf[c][left++] = freedOf[c][i];
          }
        }
        nodesOf[c] = Arrays.copyOf(nodesOf[c], left);
        freedOf[c] = Arrays.copyOf(freedOf[c], left);
      }
    }

    private void dropUseless() {
      int count = 0;
      for (int c = 0; c < kept.length; c++) {
        if (nodesOf[c].length > 0 || (!cover.always() && kept[c].gpus() > 0)) {
          kept[count] = kept[c];
          share[count] = share[c];
          nodesOf[count] = nodesOf[c];
          freedOf[count++] = freedOf[c];
        }
      }
      kept = Arrays.copyOf(kept, count);
      share = Arrays.copyOf(share, count);
      nodesOf = Arrays.copyOf(nodesOf, count);
      freedOf = Arrays.copyOf(freedOf, count);
    }

    private void indexNodes() {
      int[] count = new int[deficit.length];
      for (int[] nodes : nodesOf) {
        for (int node : nodes) {
          count[node]++;
        }
      }
      candidatesAt = new int[deficit.length][];
      for (int node = 0; node < deficit.length; node++) {
        candidatesAt[node] = new int[count[node]];
        count[node] = 0;
      }
      for (int c = 0; c < nodesOf.length; c++) {
        for (int node : nodesOf[c]) {
          candidatesAt[node][count[node]++] = c;
        }
      }
    }
  }
}
