package io.quotashare.cli.yaml;

import static java.util.Objects.requireNonNull;

/**
 * One mistake in a file.
 *
 * @param file name of the file as the user gave it
 * @param line line, from 1; 0 for a mistake of the file as a whole, such as that it is not there
 * @param column column, from 1; 0 with line 0
 * @param path where in the document, such as {@code queues[0].shares[1].strategy}; empty for the
 *     document as a whole
 * @param message the value and what was expected, a sentence without the place
 */
public record YamlProblem(String file, int line, int column, String path, String message) {

  public YamlProblem {
    requireNonNull(file, "file");
    requireNonNull(path, "path");
    requireNonNull(message, "message");
    boolean wholeFile = line == 0 && column == 0;
    if (!wholeFile && (line < 1 || column < 1)) {
      throw new IllegalArgumentException(
          "line and column count from 1, not " + line + ":" + column);
    }
  }

  /** The usual form of compilers: {@code FILE:LINE:COLUMN: PATH: MESSAGE}. */
  @Override
  public String toString() {
    String place = line == 0 ? file + ": " : file + ":" + line + ":" + column + ": ";
    return path.isEmpty() ? place + message : place + path + ": " + message;
  }
}
