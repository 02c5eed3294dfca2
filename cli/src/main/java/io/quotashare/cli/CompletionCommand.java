package io.quotashare.cli;

import io.quotashare.cli.console.Outside;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code quotashare completion}: a script for bash and zsh. */
@Command(
    name = "completion",
    description = {
      "Print the completion script of a shell, or install it.",
      "It completes commands, options, their values, files, and the ids of jobs, shares, queues,"
          + " nodes and contexts; ids are asked of the scheduler."
    },
    footer = {
      "  source <(quotashare completion bash)",
      "  source <(quotashare completion zsh)",
      "  quotashare completion bash --install"
    })
final class CompletionCommand extends SessionCommand implements AsksNoScheduler {
  /** Shells, in lower case as users type them. */
  enum Shell {
    bash,
    zsh
  }

  @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  @Option(
      names = "--install",
      description =
          "Write it to the folder that the shell reads it from, in XDG_DATA_HOME or ~/.local/share.")
  private boolean install;

  @Override
  protected int run(Session session) throws IOException {
    String script = CompletionScript.of(commandSpec().root().commandLine(), shell);
    if (!install) {
      session.out().print(script);
      return ExitCode.OK;
    }
    Path file = place(session.outside());
    Files.createDirectories(file.getParent());
    Path next = Files.createTempFile(file.getParent(), ".quotashare", ".next");
    Files.writeString(next, script);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    session.note("wrote " + file + "; " + hint(file));
    return ExitCode.OK;
  }

  private Path place(Outside outside) {
    Map<String, String> variables = outside.variables();
    String data = variables.getOrDefault("XDG_DATA_HOME", "");
    // The XDG specification: a path that is not absolute is to be ignored.
    Path base =
        data.isEmpty() || !Path.of(data).isAbsolute()
            ? Path.of(variables.getOrDefault("HOME", ""), ".local", "share")
            : Path.of(data);
    return switch (shell) {
      case bash -> base.resolve("bash-completion/completions/quotashare");
      case zsh -> base.resolve("zsh/site-functions/_quotashare");
    };
  }

  private String hint(Path file) {
    return switch (shell) {
      case bash -> "new shells use it if the package bash-completion is installed";
      case zsh ->
          "new shells use it with  fpath+=(" + file.getParent() + ")  before compinit in ~/.zshrc";
    };
  }
}
