package io.quotashare.cli.yaml;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the mistakes of one file, so that all of them are told and not only the first. */
public final class YamlProblems {
  /** More are counted, not kept: nobody reads the 101st. */
  static final int MAX_KEPT = 100;

  private final String file;
  private final List<YamlProblem> kept = new ArrayList<>();
  private int leftOut;

  /** Starts without a problem. {@code file} is the name that messages show. */
  public YamlProblems(String file) {
    this.file = requireNonNull(file, "file");
  }

  /** Name of the file that messages show. */
  public String file() {
    return file;
  }

  /** Adds a problem; line and column count from 1. */
  public void add(int line, int column, String path, String message) {
    if (kept.size() == MAX_KEPT) {
      leftOut++;
      return;
    }
    kept.add(new YamlProblem(file, line, column, path, message));
  }

  /** Adds a problem of the file as a whole. */
  public void addOfFile(String message) {
    if (kept.size() == MAX_KEPT) {
      leftOut++;
      return;
    }
    kept.add(new YamlProblem(file, 0, 0, "", message));
  }

  /** True if there is none. */
  public boolean isEmpty() {
    return kept.isEmpty();
  }

  /** The problems in the order of their places. */
  public List<YamlProblem> sorted() {
    List<YamlProblem> sorted = new ArrayList<>(kept);
    sorted.sort(Comparator.comparingInt(YamlProblem::line).thenComparingInt(YamlProblem::column));
    return List.copyOf(sorted);
  }

  /** Throws {@link InvalidFileException} with all problems if there is one. */
  public void throwIfAny() {
    if (!kept.isEmpty()) {
      throw toException();
    }
  }

  InvalidFileException toException() {
    return new InvalidFileException(file, sorted(), leftOut);
  }
}
