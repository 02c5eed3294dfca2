package io.quotashare.cli;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The id that makes a repeat of a change harmless. */
public final class RequestIdOption {
  @Option(
      names = "--request-id",
      paramLabel = "UUID",
      description =
          "A repeat with the same UUID returns the first answer and changes nothing more. Default:"
              + " a new one each time.")
  private @Nullable UUID id;

  /** The id, or null if the user gave none. */
  public @Nullable UUID get() {
    return id;
  }

  /**
   * The id of one change of several: each needs its own, and a repeat of the command must send the
   * same ones.
   *
   * @param what says which of them
   */
  public @Nullable UUID of(String what) {
    return id == null
        ? null
        : UUID.nameUUIDFromBytes((id + "/" + what).getBytes(StandardCharsets.UTF_8));
  }
}
