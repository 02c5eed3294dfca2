package io.quotashare.cli.admin;

import io.quotashare.cli.CommandGroup;
import picocli.CommandLine.Command;

/** {@code quotashare admin}: the scheduler itself. */
@Command(
    name = "admin",
    description = "Look at the scheduler itself, pause it, and have it verify its state.",
    footer = {
      "  quotashare admin status",
      "  quotashare admin pause --reason \"network is being mended\"",
      "  quotashare admin audit --since 1h"
    },
    subcommands = {
      AdminStatusCommand.class,
      AdminPauseCommand.class,
      AdminResumeCommand.class,
      AdminVerifyCommand.class,
      AdminAuditCommand.class
    })
public final class AdminCommand extends CommandGroup {}
