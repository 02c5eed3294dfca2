package io.quotashare.cli.context;

import io.quotashare.cli.AsksNoScheduler;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.Settings;
import io.quotashare.cli.UsageException;
import io.quotashare.cli.output.Format;
import io.quotashare.client.internal.HostPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code quotashare context set}. */
@Command(
    name = "set",
    description = {
      "Make a context, or change what is named of one that there is.",
      "--scheduler and --admin, else given to reach a scheduler, are what is kept here; nothing is"
          + " asked of it. The first context of a file is used from then on."
    },
    footer = {
      "  quotashare context set lab --scheduler gpu1:7070,gpu2:7070 --admin gpu1:7072",
      "  quotashare context set lab --queue research --share vision --output wide",
      "  quotashare context set lab --unset share,output"
    })
final class ContextSetCommand extends SessionCommand implements AsksNoScheduler {
  /** What can be taken out of a context, in lower case as users type them. */
  enum Key {
    schedulers,
    admin,
    queue,
    share,
    output
  }

  @Parameters(paramLabel = "CONTEXT", description = "Name: 1 to 63 of a-z, 0-9 and - inside.")
  private String name = "";

  @Option(names = "--queue", paramLabel = "QUEUE", description = "Default queue.")
  private @Nullable String queue;

  @Option(names = "--share", paramLabel = "SHARE", description = "Default share of submit.")
  private @Nullable String share;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "Default format: table, wide, json, yaml or name.")
  private @Nullable Format output;

  @Option(
      names = "--unset",
      paramLabel = "KEY",
      split = ",",
      description = "Take these out again: ${COMPLETION-CANDIDATES}.")
  private List<Key> unset = new ArrayList<>();

  @Option(names = "--use", description = "Use it from now on.")
  private boolean use;

  @Override
  protected int run(Session session) {
    ConfigFile.checkName(name);
    Settings settings = session.settings();
    ClientConfig before = settings.config();
    Context old = before.contexts().getOrDefault(name, Context.empty(name));
    List<String> schedulers = addresses("--scheduler", settings.schedulerFlag());
    List<String> admin = addresses("--admin", settings.adminFlag());
    if (admin.size() > 1) {
      throw new UsageException("--admin: " + admin.size() + " addresses, expected one HOST:PORT");
    }
    Context changed =
        new Context(
            name,
            kept(Key.schedulers, schedulers.isEmpty() ? old.schedulers() : schedulers, List.of()),
            kept(Key.admin, admin.isEmpty() ? old.admin() : admin.get(0), null),
            kept(Key.queue, queue == null ? old.queue() : queue, null),
            kept(Key.share, share == null ? old.share() : share, null),
            kept(Key.output, output == null ? old.output() : output, null));
    boolean first = before.contexts().isEmpty();
    ClientConfig after = before.with(changed);
    ConfigWriter.write(use || first ? after.using(name) : after);
    session.note(
        name
            + (before.contexts().containsKey(name) ? " is changed" : " is made")
            + (use || first ? ", and in use now" : ""));
    return ExitCode.OK;
  }

  private <T> T kept(Key key, T value, T nothing) {
    return unset.contains(key) ? nothing : value;
  }

  private static List<String> addresses(String option, String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    List<String> addresses = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    for (String address : addresses) {
      try {
        HostPort.parse(address);
      } catch (IllegalArgumentException e) {
        throw new UsageException(option + ": " + e.getMessage());
      }
    }
    return addresses;
  }
}
