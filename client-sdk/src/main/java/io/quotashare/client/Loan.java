package io.quotashare.client;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who lends what to whom.
 *
 * @param lender lending share, or {@code (unassigned)}
 * @param borrower borrowing share
 * @param unit capacity unit
 * @param gpus devices
 * @param since since when the lender lends to the borrower without a break
 * @param wouldStop whom a job of the lender that asked for all of these devices now would stop, in
 *     the order of quota-semantics 4.5
 */
public record Loan(
    String lender,
    String borrower,
    String unit,
    int gpus,
    @Nullable Instant since,
    List<LoanVictim> wouldStop) {
  /** Checks that nothing required is null and copies the list. */
  public Loan {
    requireNonNull(lender, "lender");
    requireNonNull(borrower, "borrower");
    requireNonNull(unit, "unit");
    wouldStop = List.copyOf(wouldStop);
  }
}
