package io.quotashare.client;

/** Who gets idle capacity first (quota-semantics 2.3). */
public enum IdleAssignment {
  /** The earliest submitted front job, whatever its priority. */
  FIFO,
  /** The share with the least borrowed per weight. */
  FAIR,
  /** A newer scheduler sent a value that this client does not know. */
  UNRECOGNIZED
}
