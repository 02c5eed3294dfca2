package io.quotashare.cli.demo;

/** The two variants of the example. */
enum Variant {
  /** vision lends, and does not borrow. */
  LEND("lend", "policy-lend.yaml"),
  /** vision lends and borrows. */
  LEND_AND_BORROW("lend-and-borrow", "policy-lend-and-borrow.yaml");

  private final String word;
  private final String policy;

  Variant(String word, String policy) {
    this.word = word;
    this.policy = policy;
  }

  /** File of its policy. */
  String policy() {
    return policy;
  }

  /** As users type it. */
  @Override
  public String toString() {
    return word;
  }
}
