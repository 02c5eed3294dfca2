package io.quotashare.cli.shares;

import io.quotashare.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code quotashare share}: one share. */
@Command(
    name = "share",
    description = {
      "Look at one share, make, change or remove it.",
      "Many shares are better kept in a policy file: see quotashare apply."
    },
    footer = {
      "  quotashare share get background",
      "  quotashare share create nlp --capacity H100=8 --strategy LEND --no-in-share-preemption",
      "  quotashare share update nlp --capacity H100=4"
    },
    subcommands = {
      ShareGetCommand.class,
      ShareCreateCommand.class,
      ShareUpdateCommand.class,
      ShareDeleteCommand.class
    })
public final class ShareCommand extends CommandGroup {}
