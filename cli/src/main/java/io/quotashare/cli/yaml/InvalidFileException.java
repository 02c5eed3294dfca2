package io.quotashare.cli.yaml;

import java.util.List;
import java.util.stream.Collectors;

/** A file that is not valid. The message has one line for every problem. */
public final class InvalidFileException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final transient List<YamlProblem> problems;

  InvalidFileException(String file, List<YamlProblem> problems, int leftOut) {
    super(message(problems, leftOut));
    this.file = file;
    this.problems = List.copyOf(problems);
  }

  /** Name of the file. */
  public String file() {
    return file;
  }

  /** The problems in the order of their places; at least one. */
  public List<YamlProblem> problems() {
    return problems;
  }

  private static String message(List<YamlProblem> problems, int leftOut) {
    String lines = problems.stream().map(YamlProblem::toString).collect(Collectors.joining("\n"));
    return leftOut == 0 ? lines : lines + "\n... and " + leftOut + " more";
  }
}
