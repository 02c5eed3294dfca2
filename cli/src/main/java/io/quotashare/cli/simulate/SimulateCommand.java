package io.quotashare.cli.simulate;

import io.quotashare.cli.AsksNoScheduler;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.core.RejectedException;
import io.quotashare.core.replay.FailedExpectation;
import io.quotashare.core.replay.Replay;
import io.quotashare.core.replay.ReplayRecord;
import io.quotashare.core.replay.ReplayResult;
import io.quotashare.core.replay.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare simulate}: replays scenarios in virtual time; asks no scheduler. */
@Command(
    name = "simulate",
    description = "Replay scenarios in virtual time with the scheduler's own decisions.",
    exitCodeList = {"0:Every expectation holds.", "1:An expectation does not hold."},
    footer = {
      "  quotashare simulate --scenario what-if.yaml",
      "  quotashare simulate --scenario what-if.yaml -o json",
      "  quotashare simulate --scenario cases/*.yaml"
    })
public final class SimulateCommand extends SessionCommand implements AsksNoScheduler {
  /** Forms of the output, in lower case as users type them. */
  enum Form {
    table,
    json
  }

  @Option(
      names = "--scenario",
      required = true,
      arity = "1..*",
      paramLabel = "FILE",
      description = "Scenarios as YAML or JSON.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      paramLabel = "FORMAT",
      description =
          "table: a timeline and the figures, of several files only the results; json: one object"
              + " a line. Default: ${DEFAULT-VALUE}.")
  private Form form = Form.table;

  @Override
  protected int run(Session session) {
    Map<Path, String> names = namesOf(files);
    int worst = ExitCode.OK;
    for (Path file : files) {
      int code = replay(session, file, names.getOrDefault(file, file.toString()));
      worst = Math.max(worst, code);
    }
    return worst;
  }

  private int replay(Session session, Path file, String name) {
    boolean alone = files.size() == 1;
    try {
      Scenario scenario = ScenarioParser.parse(file);
      if (form == Form.json) {
        return json(session, scenario, name, alone ? null : name);
      }
      return alone ? table(session, scenario) : resultLine(session, scenario, name);
    } catch (InvalidFileException e) {
      return invalid(session, name, String.valueOf(e.getMessage()));
    } catch (RejectedException e) {
      return invalid(session, name, file + ": " + e.getMessage());
    }
  }

  private static int json(
      Session session, Scenario scenario, String name, @Nullable String nameInLines) {
    JsonLines lines = new JsonLines(session.out(), nameInLines);
    ReplayResult result = Replay.run(scenario, lines::write);
    for (FailedExpectation failure : result.failures()) {
      session.err().println(name + ": " + Timeline.sentence(failure));
    }
    return code(result);
  }

  private static int table(Session session, Scenario scenario) {
    Timeline timeline = new Timeline(session.out(), session.style());
    timeline.begin(scenario.name());
    ReplayResult result = Replay.run(scenario, timeline::write);
    if (!scenario.expectations().isEmpty()) {
      session.out().println();
      session.out().println(verdict(result));
      timeline.failures(result.failures());
    }
    return code(result);
  }

  private static int resultLine(Session session, Scenario scenario, String name) {
    Consumer<ReplayRecord> nowhere = line -> {};
    ReplayResult result = Replay.run(scenario, nowhere);
    session.out().println((result.failures().isEmpty() ? "✓ " : "✗ ") + name);
    new Timeline(session.out(), session.style()).failures(result.failures());
    return code(result);
  }

  private int invalid(Session session, String name, String message) {
    if (files.size() > 1 && form == Form.table) {
      session.out().println("✗ " + name + " is not valid");
    }
    session.out().flush();
    session.err().println(message);
    return ExitCode.USAGE;
  }

  private static String verdict(ReplayResult result) {
    return result.failures().isEmpty()
        ? "✓ Every expectation holds."
        : "✗ " + notHolding(result.failures().size()) + ":";
  }

  private static String notHolding(int count) {
    return count == 1 ? "1 expectation does not hold" : count + " expectations do not hold";
  }

  private static int code(ReplayResult result) {
    return result.failures().isEmpty() ? ExitCode.OK : ExitCode.NOT_SO;
  }

  /** The name of each file without its folder, or as given where two have the same. */
  private static Map<Path, String> namesOf(List<Path> files) {
    Map<String, Integer> counts = new HashMap<>();
    files.forEach(file -> counts.merge(ScenarioParser.fileName(file), 1, Integer::sum));
    Map<Path, String> names = new HashMap<>();
    for (Path file : files) {
      String name = ScenarioParser.fileName(file);
      names.put(file, counts.getOrDefault(name, 0) == 1 ? name : file.toString());
    }
    return names;
  }
}
