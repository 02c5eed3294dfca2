package io.quotashare.cli;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.ColorScheme;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * The help of every command as a page of a manual: synopsis, description, arguments, options,
 * commands, options of every command, examples, exit status, environment. Made when a page is
 * shown; a command that runs does not pay for it.
 */
final class HelpPage extends Help {
  private static final String COMMON_OPTIONS = "commonOptions";
  private static final String ENVIRONMENT = "environment";

  private static final List<String> SECTIONS =
      List.of(
          UsageMessageSpec.SECTION_KEY_SYNOPSIS_HEADING,
          UsageMessageSpec.SECTION_KEY_SYNOPSIS,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION_HEADING,
          UsageMessageSpec.SECTION_KEY_DESCRIPTION,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_COMMAND_LIST,
          UsageMessageSpec.SECTION_KEY_PARAMETER_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
          UsageMessageSpec.SECTION_KEY_OPTION_LIST,
          COMMON_OPTIONS,
          UsageMessageSpec.SECTION_KEY_FOOTER_HEADING,
          UsageMessageSpec.SECTION_KEY_FOOTER,
          UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING,
          UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST,
          ENVIRONMENT);

  private HelpPage(CommandSpec command, ColorScheme scheme) {
    super(command, scheme);
  }

  /** The synopsis leaves out the options that all commands have. */
  @Override
  protected Ansi.Text createDetailedSynopsisOptionsText(
      Collection<ArgSpec> done, Comparator<OptionSpec> sort, boolean clusterBooleanOptions) {
    List<ArgSpec> left = new ArrayList<>(done);
    left.addAll(commonOptions(commandSpec()));
    return super.createDetailedSynopsisOptionsText(left, sort, clusterBooleanOptions);
  }

  /** Prepares the sections of a command; picocli then writes them. */
  static Help of(CommandSpec command, ColorScheme scheme) {
    UsageMessageSpec usage = command.usageMessage();
    usage.synopsisHeading("Usage: ");
    usage.descriptionHeading("%n");
    usage.parameterListHeading("%nArguments:%n");
    usage.commandListHeading("%nCommands:%n");
    usage.footerHeading("%nExamples:%n");
    usage.exitCodeListHeading("%nExit status:%n");
    usage.exitCodeList(exitCodes(command));
    Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(usage.sectionMap());
    sections.put(
        UsageMessageSpec.SECTION_KEY_OPTION_LIST,
        help -> options(help, "Options", ownOptions(command)));
    sections.put(
        COMMON_OPTIONS, help -> options(help, "Options of every command", commonOptions(command)));
    sections.put(ENVIRONMENT, help -> environment(help, command));
    usage.sectionMap(sections);
    usage.sectionKeys(SECTIONS);
    return new HelpPage(command, scheme);
  }

  /** What each exit code means for a command: its own words, else the common ones. */
  static Map<String, String> exitCodes(CommandSpec command) {
    Map<String, String> codes = new TreeMap<>(command.usageMessage().exitCodeList());
    codes.putIfAbsent("0", "Good.");
    codes.putIfAbsent("2", "Wrong usage, or a file that is not valid; nothing was sent.");
    Object program = command.userObject();
    boolean root = command.parent() == null;
    if (root) {
      codes.putIfAbsent(
          "1", "What was asked for did not come about: the job failed, an expectation not met.");
    }
    if (root || (program instanceof SessionCommand && !(program instanceof AsksNoScheduler))) {
      codes.putIfAbsent("3", "No scheduler answers.");
      codes.putIfAbsent("4", "The scheduler refused; the message says why and what to do.");
    }
    return codes;
  }

  /** The options that only this command has. */
  static List<OptionSpec> ownOptions(CommandSpec command) {
    return command.options().stream().filter(o -> !o.hidden() && !isCommon(command, o)).toList();
  }

  /** The options that a command shares with all others. */
  static List<OptionSpec> commonOptions(CommandSpec command) {
    return command.options().stream().filter(o -> !o.hidden() && isCommon(command, o)).toList();
  }

  private static boolean isCommon(CommandSpec command, OptionSpec option) {
    return command.parent() == null || option.inherited() || option.usageHelp();
  }

  private static String options(Help help, String heading, List<OptionSpec> options) {
    return options.isEmpty()
        ? ""
        : String.format("%n%s:%n", heading) + help.optionListExcludingGroups(options);
  }

  private static String environment(Help help, CommandSpec command) {
    Map<String, String> lines = new LinkedHashMap<>();
    for (EnvironmentVariable variable : EnvironmentVariable.of(command)) {
      lines.put(variable.name(), variable.meaning() + ".");
    }
    return lines.isEmpty() ? "" : String.format("%nEnvironment:%n") + help.createTextTable(lines);
  }
}
