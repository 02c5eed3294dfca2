package io.quotashare.integration.cluster;

/**
 * What a command did.
 *
 * @param exitCode its exit status
 * @param out what it wrote to standard output
 * @param err what it wrote to standard error
 */
public record CommandResult(int exitCode, String out, String err) {
  /** Standard output, if the command succeeded; everything else is a failure of the test. */
  public String orFail() {
    if (exitCode != 0) {
      throw new AssertionError(toString());
    }
    return out;
  }

  @Override
  public String toString() {
    return "exit code " + exitCode + "\n--- out\n" + out + "--- err\n" + err;
  }
}
