package io.quotashare.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that talks to the scheduler. */
@Command
public abstract class SessionCommand extends HasHelp implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  /**
   * Does what the command is for.
   *
   * @return one of {@link ExitCode}
   */
  protected abstract int run(Session session) throws Exception;

  /** This command as the command line knows it. */
  protected final CommandSpec commandSpec() {
    if (spec == null) {
      throw new IllegalStateException("the command was not set up by the command line");
    }
    return spec;
  }

  @Override
  public final Integer call() throws Exception {
    CommandSpec mine = commandSpec();
    RootCommand root = (RootCommand) mine.root().userObject();
    try (Session session = root.session(mine.commandLine().getOut(), mine.commandLine().getErr())) {
      int code = run(session);
      session.out().flush();
      session.err().flush();
      return code;
    }
  }
}
