package io.quotashare.server.store;

import java.util.ArrayList;
import java.util.List;

/** Collects what a verification finds, up to a bound. */
final class Findings {
  private final List<String> problems = new ArrayList<>();
  private long rows;

  void row() {
    rows++;
  }

  void add(String table, String row, String problem) {
    add("table " + table + (row.isEmpty() ? "" : ", row " + row) + ": " + problem);
  }

  void add(DamagedStateException damage) {
    add(damage.table(), damage.rowKey(), damage.problem());
  }

  void add(String problem) {
    if (problems.size() < Verification.MAX_PROBLEMS) {
      problems.add(problem);
    }
  }

  Verification at(CommitPoint point) {
    return new Verification(point, rows, problems);
  }
}
