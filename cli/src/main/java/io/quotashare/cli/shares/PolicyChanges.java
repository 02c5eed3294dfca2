package io.quotashare.cli.shares;

import io.quotashare.client.PolicyResult;
import java.io.PrintWriter;
import java.util.List;

/** What a policy did, or would do, to queues and shares: a line each. */
final class PolicyChanges {
  private PolicyChanges() {}

  static void write(PrintWriter out, PolicyResult result) {
    lines(out, "created    ", result.created(), "");
    lines(out, "changed    ", result.updated(), "");
    lines(out, "unchanged  ", result.unchanged(), "");
    lines(out, "removed    ", result.removed(), "");
    lines(out, "left       ", result.unmanaged(), " (not in the file)");
  }

  private static void lines(PrintWriter out, String what, List<String> names, String after) {
    names.forEach(name -> out.println(what + name + after));
  }
}
