package io.quotashare.core.preemption;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.placement.Seating;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Chooses whom to take so that a job can start: quota-semantics 4.2, 4.4, 4.5, 4.6 and 5.4. A pure
 * function of the question; the order of its candidates does not matter.
 */
public final class VictimSearch {
  private static final Comparator<Candidate> PLANS_THEN_CHEAPEST =
      Comparator.comparing(Candidate::kind, Comparator.reverseOrder())
          .thenComparingLong(Candidate::costDeviceMillis)
          .thenComparing(Candidate::job);

  private final Limits limits;

  /** With the bounds that the scheduler uses. */
  public VictimSearch() {
    this(Limits.DEFAULT);
  }

  VictimSearch(Limits limits) {
    this.limits = requireNonNull(limits, "limits is null");
  }

  /** Whom to take so that the job of the question can start. The same question, the same answer. */
  public Answer find(Question question) {
    if (Seating.fits(question.shape(), question.room()) && question.cover().allows(Map.of())) {
      return found(question, List.of(), false);
    }
    Choice choice = choose(question);
    if (choice != null) {
      return found(question, choice.victims(), choice.approximate());
    }
    return whenOld(question);
  }

  /** A chosen set, and whether a bound ended the choice. */
  private record Choice(List<Candidate> victims, boolean approximate) {}

  private @Nullable Choice choose(Question question) {
    Problem problem = problem(question, c -> !c.isYoung(question.nowMillis()));
    boolean approximate = false;
    int[] best;
    if (problem.size() <= limits.exhaustive()) {
      best = new ExhaustiveSearch(problem).best();
    } else {
      LargeSearch search = new LargeSearch(problem, limits);
      best = search.best();
      approximate = !search.isExact();
    }
    if (best == null) {
      return null;
    }
    List<Candidate> victims = new ArrayList<>();
    for (int c : best) {
      victims.add(problem.candidates[c]);
    }
    victims.sort(PLANS_THEN_CHEAPEST);
    return new Choice(victims, approximate);
  }

  private Problem problem(Question question, Predicate<Candidate> allowed) {
    Problem problem = Problem.of(question, question.candidates().stream().filter(allowed).toList());
    if (problem.size() <= limits.exhaustive()) {
      return problem;
    }
    Completion completion = new Completion(problem, limits.proofSteps());
    return problem.without(new Dominance(problem, completion).barred());
  }

  /** When the first set is free of young attempts: a binary search, more time allows more. */
  private Answer whenOld(Question question) {
    long[] instants =
        question.candidates().stream()
            .filter(c -> c.isYoung(question.nowMillis()))
            .mapToLong(Candidate::youngUntilMillis)
            .sorted()
            .distinct()
            .toArray();
    int low = 0;
    int high = instants.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      Problem then = problem(question, c -> !c.isYoung(instants[middle]));
      if (new LargeSearch(then, limits).isFeasible()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low == instants.length ? new Answer.None() : new Answer.OnlyYoung(instants[low]);
  }

  private Answer.Found found(Question question, List<Candidate> victims, boolean approximate) {
    Map<String, Integer> room = new HashMap<>(question.room());
    Map<String, Integer> leaving = new HashMap<>(question.coming());
    long cost = 0;
    for (Candidate victim : victims) {
      cost += victim.costDeviceMillis();
      victim
          .freed()
          .forEach(
              (node, devices) -> {
                if (question.room().containsKey(node)) {
                  room.merge(node, devices, Integer::sum);
                  leaving.merge(node, devices, Integer::sum);
                }
              });
    }
    SortedMap<String, Integer> places =
        Seating.places(question.shape(), room, leaving).orElseGet(TreeMap::new);
    return new Answer.Found(
        victims, places, cost, approximate, Rejections.explain(question, victims));
  }
}
