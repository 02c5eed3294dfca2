package io.quotashare.core.model;

/** Which borrower goes first (quota-semantics 2.3). */
public enum IdleAssignment {
  /** The earliest submitted front job, whatever its priority. */
  FIFO,
  /** The share with the least {@code above} per weight. */
  FAIR
}
