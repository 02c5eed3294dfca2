package io.quotashare.cli.output;

/** What a colour says, where colours are shown. */
public enum Tone {
  /** Nothing in particular. */
  PLAIN(""),
  /** As it should be. */
  GOOD("32"),
  /** On its way, or waiting. */
  WAIT("33"),
  /** Not as it should be. */
  BAD("31"),
  /** Of less weight. */
  DIM("2"),
  /** Of more weight. */
  STRONG("1");

  private final String code;

  Tone(String code) {
    this.code = code;
  }

  String code() {
    return code;
  }
}
