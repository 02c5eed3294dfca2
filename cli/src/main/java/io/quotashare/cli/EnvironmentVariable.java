package io.quotashare.cli;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** The environment variables of this program, in the order in which help lists them. */
enum EnvironmentVariable {
  QUOTASHARE_SCHEDULER("HOST:PORT[,...] of the scheduler, as --scheduler", Need.SCHEDULER),
  QUOTASHARE_ADMIN("HOST:PORT of its admin listener, as --admin", Need.ADMIN),
  QUOTASHARE_CONTEXT("name of a context, as --context", Need.SCHEDULER),
  QUOTASHARE_QUEUE("default queue", Need.QUEUE_OPTION),
  QUOTASHARE_SHARE("default share of submit", Need.SUBMIT),
  QUOTASHARE_OUTPUT("default format of what is shown, as --output", Need.LIST),
  QUOTASHARE_CONFIG(
      "file of the contexts; default: quotashare/config.yaml in XDG_CONFIG_HOME or ~/.config",
      Need.SCHEDULER),
  NO_COLOR("any value: no colours on a terminal", Need.NOTHING),
  QUOTASHARE_DEBUG("any value: show where in the program an error arose", Need.NOTHING);

  /** What a command must have for a variable to matter to it. */
  private enum Need {
    SCHEDULER,
    ADMIN,
    QUEUE_OPTION,
    SUBMIT,
    LIST,
    NOTHING
  }

  private final String meaning;
  private final Need need;

  EnvironmentVariable(String meaning, Need need) {
    this.meaning = meaning;
    this.need = need;
  }

  /** What it is for, without a full stop. */
  String meaning() {
    return meaning;
  }

  /** Those that matter to a command. */
  static List<EnvironmentVariable> of(CommandSpec command) {
    return Arrays.stream(values()).filter(variable -> variable.mattersTo(command)).toList();
  }

  private boolean mattersTo(CommandSpec command) {
    if (command.parent() == null) {
      return true;
    }
    Object program = command.userObject();
    boolean scheduler = program instanceof SessionCommand && !(program instanceof AsksNoScheduler);
    return switch (need) {
      case SCHEDULER -> scheduler;
      case ADMIN -> scheduler && isOfAdmin(command);
      case QUEUE_OPTION -> scheduler && command.findOption("--queue") != null;
      case SUBMIT -> scheduler && command.name().equals("submit");
      case LIST -> program instanceof ListCommand;
      case NOTHING -> true;
    };
  }

  private static boolean isOfAdmin(CommandSpec command) {
    String name = command.qualifiedName(" ");
    return name.contains(" admin ") || name.contains(" node ");
  }
}
