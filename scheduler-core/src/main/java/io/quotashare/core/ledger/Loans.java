package io.quotashare.core.ledger;

import io.quotashare.core.model.Loan;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who lends what to whom: an attribution for people (quota-semantics 1). What is used above a limit
 * is charged first to devices that no share owns, then to the lenders with the most lendable spare,
 * ties by name; an existing loan keeps its lender while that lender can still carry it. No decision
 * depends on it.
 */
public final class Loans {
  private static final Comparator<Loan> BY_NAMES =
      Comparator.comparing(Loan::lender).thenComparing(Loan::borrower);

  private List<Loan> loans = List.of();

  /** Brings the attribution up to date with the held ledger. */
  public void update(Ledger held, Iterable<ShareKey> shares, long nowMillis) {
    SortedMap<String, Integer> borrowing = new TreeMap<>();
    SortedMap<String, Integer> lendable = new TreeMap<>();
    for (ShareKey share : shares) {
      borrowing.put(share.share(), held.above(share));
      lendable.put(share.share(), held.lendable(share));
    }
    lendable.put(Loan.UNASSIGNED, held.lendableUnowned());
    List<Loan> next = new ArrayList<>();
    for (Loan loan : loans) {
      int kept =
          Math.min(
              loan.gpus(),
              Math.min(
                  borrowing.getOrDefault(loan.borrower(), 0),
                  lendable.getOrDefault(loan.lender(), 0)));
      lend(next, loan.lender(), loan.borrower(), kept, loan.sinceMillis(), borrowing, lendable);
    }
    for (String borrower : List.copyOf(borrowing.keySet())) {
      int open = borrowing.get(borrower);
      while (open > 0) {
        String lender = bestLender(lendable);
        int part = lender.isEmpty() ? 0 : Math.min(open, lendable.get(lender));
        if (part == 0) {
          break;
        }
        lend(next, lender, borrower, part, nowMillis, borrowing, lendable);
        open -= part;
      }
    }
    next.sort(BY_NAMES);
    loans = List.copyOf(next);
  }

  /** The attribution as it was before a restart. */
  public void restore(List<Loan> rows) {
    loans = List.copyOf(rows);
  }

  /** All loans, by lender and borrower. */
  public List<Loan> loans() {
    return loans;
  }

  /** Devices that a lender lends. */
  public int lentBy(String lender) {
    int sum = 0;
    for (Loan loan : loans) {
      sum += loan.lender().equals(lender) ? loan.gpus() : 0;
    }
    return sum;
  }

  private static String bestLender(SortedMap<String, Integer> lendable) {
    if (lendable.getOrDefault(Loan.UNASSIGNED, 0) > 0) {
      return Loan.UNASSIGNED;
    }
    String best = "";
    int most = 0;
    for (Map.Entry<String, Integer> lender : lendable.entrySet()) {
      if (lender.getValue() > most) {
        best = lender.getKey();
        most = lender.getValue();
      }
    }
    return best;
  }

  private static void lend(
      List<Loan> loans,
      String lender,
      String borrower,
      int gpus,
      long sinceMillis,
      SortedMap<String, Integer> borrowing,
      SortedMap<String, Integer> lendable) {
    if (gpus == 0) {
      return;
    }
    borrowing.merge(borrower, -gpus, Integer::sum);
    lendable.merge(lender, -gpus, Integer::sum);
    for (int i = 0; i < loans.size(); i++) {
      Loan loan = loans.get(i);
      if (loan.lender().equals(lender) && loan.borrower().equals(borrower)) {
        loans.set(i, new Loan(lender, borrower, loan.gpus() + gpus, loan.sinceMillis()));
        return;
      }
    }
    loans.add(new Loan(lender, borrower, gpus, sinceMillis));
  }
}
