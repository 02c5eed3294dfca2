package io.quotashare.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Writes the reference of docs/cli.md from the commands themselves. */
final class CliReference {
  /** The page is written by hand above this line, and by {@link #write} below. */
  static final String MARK =
      "<!-- From here on made from the commands by DocsTest: -Dquotashare.draw=true writes"
          + " it. -->";

  private final StringBuilder page = new StringBuilder();

  private CliReference() {}

  static String write() {
    CliReference reference = new CliReference();
    List<CommandLine> all = Commands.all();
    reference.index(all);
    reference.common(all.get(0).getCommandSpec());
    for (CommandLine line : all.subList(1, all.size())) {
      if (line.getSubcommands().isEmpty()) {
        reference.command(line);
      }
    }
    return reference.page.toString();
  }

  private void index(List<CommandLine> all) {
    page.append("\n## Reference\n\n| command | |\n|---|---|\n");
    for (CommandLine line : all.subList(1, all.size())) {
      if (line.getSubcommands().isEmpty()) {
        String name = Commands.name(line);
        page.append("| [`").append(name).append("`](#quotashare-").append(name.replace(' ', '-'));
        page.append(") | ").append(cell(line.getCommandSpec().usageMessage().description()[0]));
        page.append(" |\n");
      }
    }
  }

  private void common(CommandSpec root) {
    page.append("\n### Options of every command\n");
    table(HelpPage.commonOptions(root));
    page.append("\n### Exit status\n\n| code | |\n|---|---|\n");
    HelpPage.exitCodes(root).forEach(this::row);
    page.append("\n### Environment\n\n| variable | |\n|---|---|\n");
    for (EnvironmentVariable variable : EnvironmentVariable.values()) {
      row(variable.name(), variable.meaning());
    }
  }

  private void command(CommandLine line) {
    CommandSpec spec = line.getCommandSpec();
    Help help = HelpPage.of(spec, Help.defaultColorScheme(Ansi.OFF));
    page.append("\n### quotashare ").append(Commands.name(line)).append("\n\n```\n");
    page.append(help.synopsis(0).strip()).append("\n```\n");
    for (String paragraph : spec.usageMessage().description()) {
      page.append("\n").append(paragraph.replace("%%", "%")).append("\n");
    }
    List<ArgSpec> args = new ArrayList<>(spec.positionalParameters());
    args.addAll(HelpPage.ownOptions(spec));
    table(args);
    page.append("\n```\n");
    for (String example : spec.usageMessage().footer()) {
      page.append(example.replaceFirst("^ {2}", "")).append("\n");
    }
    page.append("```\n");
    ownExitCodes(spec);
  }

  /** What the common table says already is not said again. */
  private void ownExitCodes(CommandSpec spec) {
    Map<String, String> codes = new TreeMap<>(HelpPage.exitCodes(spec));
    CommandSpec root = spec.root();
    Map<String, String> common = HelpPage.exitCodes(root);
    codes.entrySet().removeIf(e -> e.getValue().equals(common.get(e.getKey())));
    if (!codes.isEmpty()) {
      page.append("\n| exit status | |\n|---|---|\n");
      codes.forEach(this::row);
    }
  }

  private void table(List<? extends ArgSpec> args) {
    if (args.isEmpty()) {
      return;
    }
    page.append("\n| option | |\n|---|---|\n");
    for (ArgSpec arg : args) {
      String names =
          arg instanceof OptionSpec option
              ? String.join("`, `", option.names()) + value(option)
              : ((PositionalParamSpec) arg).paramLabel();
      row(names, String.join(" ", arg.description()));
    }
  }

  /** Flags take no value. */
  private static String value(OptionSpec option) {
    return option.arity().max() == 0 ? "" : " " + option.paramLabel();
  }

  private void row(String name, String text) {
    page.append("| `").append(cell(name)).append("` | ").append(cell(text)).append(" |\n");
  }

  private static String cell(String text) {
    return text.replace("%%", "%").replace("|", "\\|");
  }
}
