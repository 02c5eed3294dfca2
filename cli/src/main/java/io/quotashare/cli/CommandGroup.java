package io.quotashare.cli;

import picocli.CommandLine.Command;

/** A command that has only commands below it, such as {@code quotashare job}. */
@Command(synopsisSubcommandLabel = "COMMAND")
public abstract class CommandGroup extends HasHelp {}
