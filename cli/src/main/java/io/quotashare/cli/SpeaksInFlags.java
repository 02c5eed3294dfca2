package io.quotashare.cli;

/** A command whose flags stand for fields of a request, so that a refusal can name the flags. */
public interface SpeaksInFlags {
  /** The message with each field named as the flag that the user types. */
  String inFlags(String message);
}
