package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who lends what to whom.
 *
 * @param lender lending share, or {@code (unassigned)}
 * @param borrower borrowing share
 * @param unit capacity unit
 * @param gpus devices
 * @param since since when the lender lends to the borrower without a break
 */
public record Loan(String lender, String borrower, String unit, int gpus, @Nullable Instant since) {
  /** Checks that nothing required is null. */
  public Loan {
    requireNonNull(lender, "lender");
    requireNonNull(borrower, "borrower");
    requireNonNull(unit, "unit");
  }
}
