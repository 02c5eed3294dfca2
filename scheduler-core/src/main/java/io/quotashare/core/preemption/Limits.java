package io.quotashare.core.preemption;

import static io.quotashare.core.model.Check.checkArgument;

/**
 * Bounds of the search. They count steps, not time, so that the same question has the same answer
 * on every machine.
 *
 * @param exhaustive up to this many candidates every set is looked at
 * @param branching up to this many candidates branch and bound follows, until {@code choiceSteps}
 *     are used
 * @param nodeSteps steps of one search for the cheapest set on one node
 * @param choiceSteps steps of the choice of the cheapest set; afterwards the best so far is taken
 * @param proofSteps steps of one systematic search for a feasible set, or for stand-ins
 * @param swapRounds rounds of exchanging parts of a set for cheaper ones
 */
record Limits(
    int exhaustive, int branching, int nodeSteps, int choiceSteps, int proofSteps, int swapRounds) {
  /** What the scheduler uses. */
  static final Limits DEFAULT = new Limits(12, 128, 1_024, 20_000, 50_000, 3);

  Limits {
    checkArgument(
        exhaustive >= 0 && exhaustive <= 20, "exhaustive: %s (expected: 0 to 20)", exhaustive);
    checkArgument(nodeSteps >= 1, "nodeSteps: %s (expected: >= 1)", nodeSteps);
    checkArgument(choiceSteps >= 1, "choiceSteps: %s (expected: >= 1)", choiceSteps);
    checkArgument(proofSteps >= 1, "proofSteps: %s (expected: >= 1)", proofSteps);
    checkArgument(swapRounds >= 0, "swapRounds: %s (expected: >= 0)", swapRounds);
  }
}
