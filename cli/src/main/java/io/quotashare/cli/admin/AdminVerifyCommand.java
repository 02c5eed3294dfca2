package io.quotashare.cli.admin;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Resource;
import io.quotashare.client.StateVerification;
import io.quotashare.client.internal.AdminProtos;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare admin verify}. */
@Command(
    name = "verify",
    description = {
      "Have the scheduler read its whole durable state, check every row and rule, and compare it"
          + " with its memory.",
      "Changes nothing, and decisions go on meanwhile."
    },
    exitCodeList = {"0:All is well.", "1:Something is wrong; each line names the row."},
    footer = {"  quotashare admin verify", "  quotashare admin verify -o json"})
final class AdminVerifyCommand extends SessionCommand {
  /** More are not sent. */
  private static final int MOST = 100;

  private static final Resource<StateVerification> VERIFICATION =
      new Resource<>(
          "verifications", List.of(), v -> String.join("\n", v.problems()), AdminProtos::toProto);

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "table",
      description =
          "table, wide: a line a problem; json, yaml: the answer; name: the problems alone. Default:"
              + " ${DEFAULT-VALUE}.")
  private Format format = Format.table;

  @Override
  protected int run(Session session) {
    StateVerification found = session.client().admin().verify();
    session.printer().one(format, VERIFICATION, found, out -> write(out, found));
    return found.isSound() ? ExitCode.OK : ExitCode.NOT_SO;
  }

  private static void write(PrintWriter out, StateVerification found) {
    found.problems().forEach(out::println);
    String rows = found.rows() == 1 ? "1 row" : found.rows() + " rows";
    out.println(
        rows + " of revision " + found.revision() + ": " + verdict(found.problems().size()));
  }

  private static String verdict(int problems) {
    if (problems == 0) {
      return "all is well";
    }
    return (problems == MOST ? "at least " : "")
        + problems
        + (problems == 1 ? " problem" : " problems")
        + ", please report this as a fault of the scheduler";
  }
}
