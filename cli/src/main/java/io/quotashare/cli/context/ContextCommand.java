package io.quotashare.cli.context;

import io.quotashare.cli.AsksNoScheduler;
import io.quotashare.cli.CommandGroup;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.UsageException;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Sheet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code quotashare context}: named addresses and defaults of this user. */
@Command(
    name = "context",
    description = {
      "Keep addresses and defaults under names, in a file of this user.",
      "A context says where schedulers and admin listener are, and which queue, share and output"
          + " format are taken where none is named. A flag wins over an environment variable, that"
          + " over the context, and that over the program's own default. The file is"
          + " QUOTASHARE_CONFIG, else quotashare/config.yaml in XDG_CONFIG_HOME or ~/.config; only"
          + " its owner may read it."
    },
    footer = {
      "  quotashare context set lab --scheduler gpu1:7070,gpu2:7070 --queue research",
      "  quotashare context use lab",
      "  quotashare --context lab jobs"
    },
    subcommands = {
      ContextCommand.ListAll.class,
      ContextCommand.Get.class,
      ContextSetCommand.class,
      ContextCommand.Use.class,
      ContextCommand.Delete.class
    })
public final class ContextCommand extends CommandGroup {
  /** {@code quotashare context list}. */
  @Command(
      name = "list",
      description = "List the contexts; a star marks the one in use.",
      footer = {"  quotashare context list", "  quotashare context list -o json"})
  static final class ListAll extends ListCommand implements AsksNoScheduler {
    @Override
    protected void show(Session session, Format format) {
      session
          .printer()
          .list(
              format,
              ContextTexts.contexts(inUse(session)),
              session.settings().config().contexts().values());
    }
  }

  /** {@code quotashare context get}. */
  @Command(
      name = "get",
      description = "Show a context.",
      footer = {"  quotashare context get", "  quotashare context get lab -o yaml"})
  static final class Get extends ListCommand implements AsksNoScheduler {
    @Parameters(
        paramLabel = "CONTEXT",
        arity = "0..1",
        description = "Name. Default: the one in use.")
    private @Nullable String name;

    @Override
    protected void show(Session session, Format format) {
      Context context =
          name != null
              ? session.settings().config().require(name)
              : session.settings().context().orElseThrow(Get::none);
      session
          .printer()
          .one(
              format,
              ContextTexts.contexts(inUse(session)),
              context,
              out -> {
                Sheet sheet = new Sheet(session.style());
                sheet.add("context", context.name());
                ConfigWriter.keys(context)
                    .forEach((key, value) -> sheet.add(key, String.valueOf(value)));
                sheet.write(out);
              });
    }

    private static UsageException none() {
      return new UsageException(
          "no context is in use: name one, or choose one with quotashare context use NAME");
    }
  }

  /** {@code quotashare context use}. */
  @Command(
      name = "use",
      description = "Use a context from now on, where no other is named.",
      footer = {"  quotashare context use lab"})
  static final class Use extends SessionCommand implements AsksNoScheduler {
    @Parameters(paramLabel = "CONTEXT", description = "Name of a context.")
    private String name = "";

    @Override
    protected int run(Session session) {
      ClientConfig config = session.settings().config();
      config.require(name);
      ConfigWriter.write(config.using(name));
      session.note(name + " is in use now");
      return ExitCode.OK;
    }
  }

  /** {@code quotashare context delete}. */
  @Command(
      name = "delete",
      description = "Remove a context from the file.",
      footer = {"  quotashare context delete lab"})
  static final class Delete extends SessionCommand implements AsksNoScheduler {
    @Parameters(paramLabel = "CONTEXT", description = "Name of a context.")
    private String name = "";

    @Override
    protected int run(Session session) {
      ClientConfig config = session.settings().config();
      config.require(name);
      ConfigWriter.write(config.without(name));
      session.note(
          name
              + " is removed"
              + (name.equals(config.current())
                  ? "; no context is in use now, choose one with quotashare context use NAME"
                  : ""));
      return ExitCode.OK;
    }
  }

  private static @Nullable String inUse(Session session) {
    return session.settings().context().map(Context::name).orElse(null);
  }
}
