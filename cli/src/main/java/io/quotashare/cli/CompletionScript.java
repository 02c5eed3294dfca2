package io.quotashare.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Makes the completion script of a shell: what may stand where comes from the commands themselves,
 * ids come from the scheduler when the user asks for them.
 */
final class CompletionScript {
  /** What a value is, by the label that help shows for it. */
  private static final Map<String, String> KINDS =
      Map.of(
          "FILE", "file",
          "FOLDER", "file",
          "PATH", "file",
          "JOB", "job",
          "SHARE", "share",
          "QUEUE", "queue",
          "NODE", "node",
          "CONTEXT", "context");

  private final StringBuilder commands = new StringBuilder();

  /** Kind of a value by the options that have it, by the path of their command. */
  private final Map<String, Map<String, String>> options = new LinkedHashMap<>();

  private CompletionScript() {}

  /** The script for a shell. */
  static String of(CommandLine root, CompletionCommand.Shell shell) {
    CompletionScript script = new CompletionScript();
    script.add("", root);
    String core =
        template("core")
            .replace("@COMMANDS@", script.commands.toString().stripTrailing())
            .replace("@OPTIONS@", script.optionLines().stripTrailing());
    return template(shell.name().toLowerCase(Locale.ROOT)).replace("@CORE@", core.strip());
  }

  private void add(String path, CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    List<String> names = new ArrayList<>();
    for (OptionSpec option : spec.options()) {
      if (option.hidden()) {
        continue;
      }
      names.add(option.longestName());
      if (option.negatable()) {
        names.add(option.longestName().replaceFirst("^--", "--no-"));
      }
      for (String name : option.names()) {
        options.computeIfAbsent(path, key -> new TreeMap<>()).put(name, kind(option));
      }
    }
    String takes =
        spec.positionalParameters().isEmpty() ? "" : kind(spec.positionalParameters().get(0));
    commands
        .append("    '")
        .append(path)
        .append("') subcommands='")
        .append(String.join(" ", line.getSubcommands().keySet()))
        .append("' flags='")
        .append(String.join(" ", names))
        .append("' takes='")
        .append(takes)
        .append("' ;;\n");
    line.getSubcommands()
        .forEach((name, sub) -> add(path.isEmpty() ? name : path + " " + name, sub));
  }

  private static String kind(ArgSpec arg) {
    if (arg.arity().max() == 0) {
      return "flag";
    }
    if (arg.completionCandidates() != null) {
      return "words:"
          + StreamSupport.stream(arg.completionCandidates().spliterator(), false)
              .collect(Collectors.joining(" "));
    }
    return KINDS.getOrDefault(arg.paramLabel(), "text");
  }

  /** A line a command and kind: {@code 'job get:-o'|'job get:--output') kind='words:table' ;;}. */
  private String optionLines() {
    StringBuilder lines = new StringBuilder();
    options.forEach(
        (path, kinds) -> {
          Map<String, List<String>> byKind = new TreeMap<>();
          kinds.forEach(
              (name, kind) ->
                  byKind
                      .computeIfAbsent(kind, key -> new ArrayList<>())
                      .add("'" + path + ":" + name + "'"));
          byKind.forEach(
              (kind, patterns) ->
                  lines
                      .append("    ")
                      .append(String.join("|", patterns))
                      .append(") kind='")
                      .append(kind)
                      .append("' ;;\n"));
        });
    return lines.toString();
  }

  private static String template(String shell) {
    String name = "completion." + shell;
    try (InputStream in = CompletionScript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program has no " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(name + " cannot be read", e);
    }
  }
}
