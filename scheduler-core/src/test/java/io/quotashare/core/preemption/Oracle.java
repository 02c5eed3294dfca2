package io.quotashare.core.preemption;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The rules of quota-semantics 4.2, 4.4 and 4.5 taken by the word: every subset of the candidates,
 * as a list of records, is judged by itself. For few candidates only.
 */
final class Oracle {
  private final Question question;
  private final List<Candidate> candidates;
  private final boolean[] feasible;

  Oracle(Question question) {
    this.question = question;
    this.candidates = question.candidates();
    this.feasible = new boolean[1 << candidates.size()];
    for (int bits = 0; bits < feasible.length; bits++) {
      feasible[bits] = isFeasible(question, subset(bits));
    }
  }

  /** The best set; empty if no set is admissible or the best has a young member. */
  Optional<Set<Candidate>> best() {
    return admissible().stream()
        .map(this::subset)
        .filter(set -> young(set) == 0)
        .filter(set -> !isDominated(set))
        .min(preference())
        .map(HashSet::new);
  }

  boolean isAnyFeasible() {
    return !admissible().isEmpty();
  }

  /** The earliest instant at which some admissible set has no young member. */
  OptionalLong firstOld() {
    return admissible().stream()
        .map(this::subset)
        .mapToLong(
            set -> set.stream().mapToLong(Candidate::youngUntilMillis).max().orElse(Long.MIN_VALUE))
        .min();
  }

  /** 4.2, cover and 4.4, for sets of any size. */
  static boolean isFeasible(Question question, Collection<Candidate> set) {
    Map<ShareKey, List<Integer>> sizes = new HashMap<>();
    Map<String, Integer> room = new HashMap<>(question.room());
    for (Candidate member : set) {
      sizes.computeIfAbsent(member.share(), s -> new ArrayList<>()).add(member.gpus());
      member.freed().forEach((node, n) -> room.computeIfPresent(node, (k, had) -> had + n));
    }
    Map<ShareKey, Integer> taken = new HashMap<>();
    for (Map.Entry<ShareKey, List<Integer>> entry : sizes.entrySet()) {
      Collections.sort(entry.getValue());
      int sum = 0;
      if (!entry.getKey().equals(question.beneficiaryShare())) {
        int stillAbove = question.above().get(entry.getKey());
        for (int size : entry.getValue()) {
          if (stillAbove <= 0) {
            return false;
          }
          stillAbove -= size;
        }
      }
      for (int size : entry.getValue()) {
        sum += size;
      }
      taken.put(entry.getKey(), sum);
    }
    long seats = room.values().stream().filter(n -> n >= question.shape().gpusPerNode()).count();
    return seats >= question.shape().nodes() && question.cover().allows(taken);
  }

  /** No member is superfluous. */
  static boolean isAdmissible(Question question, Collection<Candidate> set) {
    for (Candidate member : set) {
      List<Candidate> others = new ArrayList<>(set);
      others.remove(member);
      if (isFeasible(question, others)) {
        return false;
      }
    }
    return isFeasible(question, set);
  }

  /** Rule (ii), looking at every set of stand-ins that are not young. */
  boolean isDominated(Collection<Candidate> set) {
    for (Candidate member : set) {
      int others = 0;
      int standIns = 0;
      for (int i = 0; i < candidates.size(); i++) {
        Candidate candidate = candidates.get(i);
        if (set.contains(candidate)) {
          others |= candidate.equals(member) ? 0 : 1 << i;
        } else if (mayStandIn(question, candidate, member)) {
          standIns |= 1 << i;
        }
      }
      for (int some = standIns; some > 0; some = (some - 1) & standIns) {
        if (feasible[others | some]) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether an attempt is lower in the same share and not protected. */
  static boolean mayStandIn(Question question, Candidate candidate, Candidate member) {
    return candidate.kind() == Candidate.Kind.ATTEMPT
        && member.kind() == Candidate.Kind.ATTEMPT
        && candidate.share().equals(member.share())
        && candidate.priority() < member.priority()
        && !candidate.isYoung(question.nowMillis());
  }

  private List<Integer> admissible() {
    List<Integer> found = new ArrayList<>();
    for (int bits = 0; bits < feasible.length; bits++) {
      boolean minimal = feasible[bits];
      for (int i = 0; i < candidates.size() && minimal; i++) {
        minimal = (bits >> i & 1) == 0 || !feasible[bits & ~(1 << i)];
      }
      if (minimal) {
        found.add(bits);
      }
    }
    return found;
  }

  private List<Candidate> subset(int bits) {
    List<Candidate> set = new ArrayList<>();
    for (int i = 0; i < candidates.size(); i++) {
      if ((bits >> i & 1) == 1) {
        set.add(candidates.get(i));
      }
    }
    return set;
  }

  private long young(List<Candidate> set) {
    return set.stream().filter(c -> c.isYoung(question.nowMillis())).count();
  }

  static long cost(Collection<Candidate> set) {
    return set.stream().mapToLong(Candidate::costDeviceMillis).sum();
  }

  private static Comparator<List<Candidate>> preference() {
    return Comparator.<List<Candidate>>comparingLong(Oracle::cost)
        .thenComparingLong(
            set -> set.stream().filter(c -> c.kind() == Candidate.Kind.ATTEMPT).count())
        .thenComparing(Oracle::newestFirst, Oracle.<Long>lexicographic(Comparator.reverseOrder()))
        .thenComparing(Oracle::names, Oracle.<JobKey>lexicographic(Comparator.naturalOrder()));
  }

  private static List<Long> newestFirst(List<Candidate> set) {
    return set.stream()
        .map(Candidate::scheduledAtMillis)
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  private static List<JobKey> names(List<Candidate> set) {
    return set.stream().map(Candidate::job).sorted().toList();
  }

  private static <T> Comparator<List<T>> lexicographic(Comparator<T> each) {
    return (a, b) -> {
      for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
        int order = each.compare(a.get(i), b.get(i));
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(a.size(), b.size());
    };
  }
}
