package io.quotashare.core.model;

import static io.quotashare.core.model.Check.checkArgument;
import static java.util.Objects.requireNonNull;

/**
 * Devices that a share uses above its limit, and whose they are (quota-semantics 1, who lends to
 * whom).
 *
 * @param lender share id, or {@link #UNASSIGNED}
 * @param borrower share id
 * @param gpus devices, 1 or more
 * @param sinceMillis since when the lender lends to the borrower without a break
 */
public record Loan(String lender, String borrower, int gpus, long sinceMillis) {
  /** Lender of devices that no share owns. */
  public static final String UNASSIGNED = "(unassigned)";

  public Loan {
    requireNonNull(lender, "lender is null");
    requireNonNull(borrower, "borrower is null");
    checkArgument(gpus >= 1, "gpus: %s (expected: >= 1)", gpus);
  }
}
