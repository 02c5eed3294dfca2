package io.quotashare.core.preemption;

import static java.util.Objects.requireNonNull;

import io.quotashare.core.model.RejectedAlternative;
import io.quotashare.core.placement.Seating;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/*
 * How the victims are found
 * =========================
 *
 * The question. A job must sit on k nodes with g devices each, and something must go so that it
 * can. Taken may be whole attempts (and plans, which cost nothing); each frees devices on one or
 * more nodes. A set of them is feasible if no other share loses more than it is above its limit by
 * (4.2; the last, largest one may take it below), if the shape sits on what is free, coming and
 * freed, node by node (4.4), and if limits and cover allow the start. It is admissible if, besides,
 * no member is superfluous. Among these the rules choose: nobody young (i), nobody for whom lower
 * ones of his share could stand in (ii), least cost (iii), fewest attempts (iv), newest (v), job
 * id (vi).
 *
 * What makes it tractable. Two of the conditions only gain when more is taken (the shape and the
 * cover), and one only loses (4.2): every part of a set that keeps to 4.2 keeps to it too. So
 *
 *   - any feasible set contains an admissible one, and one pass that takes superfluous members out
 *     finds it (Trimming);
 *   - whether any set is feasible can be asked by taking everything and giving back (Completion);
 *   - young attempts can be left out from the start: if that is feasible, (i) is met with nobody
 *     young, and if not, the answer is when it will be (a binary search over the instants at which
 *     they become old, because later allows more);
 *   - whether lower attempts could stand in for a member is asked by taking the member out and all
 *     lower ones in (Dominance). Replacing a member by lower ones makes the priorities that are
 *     taken from the share smaller in the order of multisets, so repeating it ends (4), and ends at
 *     a set that rule (ii) allows. From any feasible set the search therefore gets to one that the
 *     rules (i), (ii), 4.2 and 4.4 allow; only the price can be worse than the best.
 *
 * The steps.
 *
 *   1. ProblemBuilder brings the question into arrays and leaves out what can be in no admissible
 *      set: nodes that would not do even if all were taken, and what frees nothing elsewhere.
 *   2. Up to Limits.exhaustive candidates ExhaustiveSearch looks at every set, by the word of 4.5.
 *   3. Above that, attempts that rule (ii) can never allow are left out (Dominance.barred), and
 *      LargeSearch looks for a cheap set:
 *        a. If one node is missing (k = 1, or all others are there), OneNodeSearch looks at the
 *           subsets on each node, nodes in the order of a lower bound of their price (2). It ends at
 *           the first node whose bound is above the best set. The result is exact unless the cover
 *           wants more than the shape.
 *        b. Otherwise it starts greedily: each node's cheapest subset, cheapest node first (1, 2,
 *           3: place first, then price): by price, by priority before price, with gangs counted in
 *           part on each of their nodes, and around each of the gangs that are cheapest for what
 *           they free.
 *        c. With the price of the best start as a limit, most candidates fall out: their node
 *           together with the k - 1 cheapest others is too dear already (SeatBound). If at most
 *           Limits.branching are left, branch and bound over them follows for a part of the steps,
 *           and if it ends by itself the set is exact.
 *        d. If not, parts of the set are exchanged for cheaper ones, a few members and a few others
 *           at a time, again by branch and bound (Improving); then c. again with what is left.
 *   4. The answer says "approximate" unless 2, a. or c. ended by itself. Every set that is offered
 *      on the way is trimmed and freed of members for whom lower ones could stand in before it is
 *      compared, so no bound ever touches those rules.
 *
 * Bounds. All searches count steps (Limits), never time, so the same question has the same answer
 * on every machine. The order of the candidates in the question does not matter: they are sorted
 * first. Choosing ends after Limits.choiceSteps. The systematic part of Completion, which is needed
 * only where 4.2 binds in several shares or over gangs at once, ends after Limits.proofSteps for
 * one test: a set whose test for stand-ins did not end is not used, and a question for which no set
 * was found answers None: nobody is stopped rather than the wrong one.
 *
 * Complexity. With n candidates that free devices i times on m nodes: building O(n log n + i + m);
 * one node: O(i log i) for the bounds and then the subsets of few nodes, at most nodeSteps each;
 * a start for k nodes: the subsets of all nodes once, then O(k) times those of touched nodes; a
 * test for stand-ins: O(members x candidates on their nodes). Nothing is quadratic in n.
 *
 * Sources. (1) Volcano's gangreclaim: choose by local gain for global cost, and commit victims and
 * place together. (2) Nomad's preemption: per node, then drop what is a superset; Armada's
 * optimiser: per node, ordered by price. (3) Slurm's will-run test in a copied state, repeated with
 * another order; Kueue's add-back. (4) Dershowitz and Manna, Proving termination with multiset
 * orderings, CACM 22(8), 1979. Lower bounds and fixing by them as in branch and bound for knapsack
 * problems: Martello and Toth, Knapsack Problems, 1990, chapter 2; deciding parts anew: Shaw, Large
 * neighborhood search, CP 1998. docs/victim-selection.md tells it for people, with an example.
 */

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

  /**
   * Whom to take so that the job of the question can start.
   *
   * @return {@link Answer.Found} with an admissible set that quota-semantics 4.5 (i) and (ii)
   *     allow, the cheapest unless it says that it is approximate; {@link Answer.OnlyYoung} if only
   *     sets with young attempts are admissible; else {@link Answer.None}
   * @throws IllegalArgumentException if a device count is negative, a candidate is listed twice, or
   *     {@code above} says nothing of another share that has candidates
   */
  public Answer find(Question question) {
    if (Seating.fits(question.shape(), question.room()) && question.cover().allows(Map.of())) {
      return found(question, List.of(), false, List.of());
    }
    Answer.Found found = choose(question);
    return found != null ? found : whenOld(question);
  }

  private Answer.@Nullable Found choose(Question question) {
    Problem problem = problem(question, c -> !c.isYoung(question.nowMillis()));
    LargeSearch search = new LargeSearch(problem, limits);
    boolean few = problem.size() <= limits.exhaustive();
    int[] best = few ? new ExhaustiveSearch(problem).best() : search.best();
    if (best == null) {
      return null;
    }
    List<Candidate> victims = new ArrayList<>();
    for (int c : best) {
      victims.add(problem.candidates[c]);
    }
    victims.sort(PLANS_THEN_CHEAPEST);
    return found(
        question,
        victims,
        !few && !search.isExact(),
        new Rejections(question, problem, search.growing(), victims).explain(victims));
  }

  private Problem problem(Question question, Predicate<Candidate> allowed) {
    Problem problem = Problem.of(question, question.candidates().stream().filter(allowed).toList());
    if (problem.size() <= limits.exhaustive()) {
      return problem;
    }
    Completion completion = new Completion(problem, limits.proofSteps(), new Budget(0));
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

  private static Answer.Found found(
      Question question,
      List<Candidate> victims,
      boolean approximate,
      List<RejectedAlternative> rejected) {
    Map<String, Integer> room = new HashMap<>(question.room());
    Map<String, Integer> leaving = new HashMap<>(question.coming());
    long cost = 0;
    for (Candidate victim : victims) {
      cost += victim.costDeviceMillis();
      for (Map.Entry<String, Integer> freed : victim.freed().entrySet()) {
        if (question.room().containsKey(freed.getKey())) {
          room.merge(freed.getKey(), freed.getValue(), Integer::sum);
          leaving.merge(freed.getKey(), freed.getValue(), Integer::sum);
        }
      }
    }
    SortedMap<String, Integer> places =
        Seating.places(question.shape(), room, leaving)
            .orElseThrow(() -> new IllegalStateException("victims without a place: " + victims));
    return new Answer.Found(victims, places, cost, approximate, rejected);
  }
}
