package io.quotashare.cli.simulate;

import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.core.RejectedException;
import io.quotashare.core.replay.FailedExpectation;
import io.quotashare.core.replay.Replay;
import io.quotashare.core.replay.ReplayRecord;
import io.quotashare.core.replay.ReplayResult;
import io.quotashare.core.replay.Scenario;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code quotashare simulate}: replays scenarios in virtual time. */
@Command(
    name = "simulate",
    description = "Replay scenarios in virtual time with the scheduler's own decisions.",
    footer = {
      "",
      "Exit status: 0 all expectations hold; 1 one does not; 2 wrong usage or a file that is not"
          + " valid."
    })
public final class SimulateCommand implements Callable<Integer> {
  private static final int OK = 0;
  private static final int EXPECTATION_FAILED = 1;
  private static final int INVALID = 2;

  /** Form of the output; lower case as users type it. */
  enum Format {
    table,
    json
  }

  @Option(
      names = "--scenario",
      required = true,
      arity = "1..*",
      paramLabel = "FILE",
      description = "Scenario files, YAML or JSON.")
  private List<Path> files = new ArrayList<>();

  @Option(
      names = {"-o", "--output"},
      defaultValue = "table",
      paramLabel = "FORMAT",
      description =
          "table: for people (with several files one line each); json: one object a line."
              + " Default: ${DEFAULT-VALUE}.")
  private Format format = Format.table;

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() {
    Map<Path, String> names = namesOf(files);
    int worst = OK;
    for (Path file : files) {
      worst = Math.max(worst, replay(file, names.getOrDefault(file, file.toString())));
    }
    out().flush();
    return worst;
  }

  private int replay(Path file, String name) {
    boolean alone = files.size() == 1;
    try {
      Scenario scenario = ScenarioParser.parse(file);
      if (format == Format.json) {
        JsonLines lines = new JsonLines(out(), alone ? null : name);
        return json(name, Replay.run(scenario, lines::write));
      }
      return alone ? table(scenario) : resultLine(name, scenario);
    } catch (InvalidFileException e) {
      return invalid(name, e.getMessage());
    } catch (RejectedException e) {
      return invalid(name, file + ": " + e.getMessage());
    }
  }

  private int json(String name, ReplayResult result) {
    for (FailedExpectation failure : result.failures()) {
      err().println(name + ": " + Timeline.sentence(failure));
    }
    return status(result);
  }

  private int table(Scenario scenario) {
    Timeline timeline = new Timeline(out());
    timeline.begin(scenario.name());
    ReplayResult result = Replay.run(scenario, timeline::write);
    if (!scenario.expectations().isEmpty()) {
      out().println();
      out().println(verdict(result));
      timeline.failures(result.failures());
    }
    return status(result);
  }

  private int resultLine(String name, Scenario scenario) {
    Consumer<ReplayRecord> nowhere = line -> {};
    ReplayResult result = Replay.run(scenario, nowhere);
    out().println((result.failures().isEmpty() ? "✓ " : "✗ ") + name);
    new Timeline(out()).failures(result.failures());
    return status(result);
  }

  private int invalid(String name, @Nullable String message) {
    if (files.size() > 1 && format == Format.table) {
      out().println("✗ " + name + " is not valid");
    }
    out().flush();
    err().println(message);
    return INVALID;
  }

  private static String verdict(ReplayResult result) {
    return result.failures().isEmpty()
        ? "✓ All expectations hold."
        : "✗ " + result.failures().size() + " of the expectations do not hold:";
  }

  private static int status(ReplayResult result) {
    return result.failures().isEmpty() ? OK : EXPECTATION_FAILED;
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

  private PrintWriter out() {
    return commandLine().getOut();
  }

  private PrintWriter err() {
    return commandLine().getErr();
  }

  private picocli.CommandLine commandLine() {
    if (spec == null) {
      throw new IllegalStateException("the command was not set up by the command line");
    }
    return spec.commandLine();
  }
}
