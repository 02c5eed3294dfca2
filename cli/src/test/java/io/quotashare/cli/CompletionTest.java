package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The completion scripts, run by the shells themselves. */
class CompletionTest {
  /** Stands in for the program where the script asks it for ids, and notes how it was asked. */
  private static final String PROGRAM =
      """
      #!/bin/sh
      echo "$@" >>"$(dirname "$0")/asked"
      case $1 in
        jobs) echo queues/q/jobs/j-1; echo queues/q/jobs/train-2 ;;
        shares) echo queues/q/shares/vision ;;
        queue) echo queues/q ;;
        nodes) echo nodes/n1 ;;
        context) echo lab ;;
      esac
      """;

  /** What zsh's completion system would do with what it is given. */
  private static final String ZSH_STUBS =
      """
      compdef() { :; }
      compset() { current=${current#*=}; }
      _files() { print -l FILES; }
      compadd() { shift; local word; for word in "$@"; do [[ $word == ${current}* ]] && print -r -- $word; done; return 0; }
      """;

  private final CliRunner cli = new CliRunner();

  @TempDir private Path folder;

  @BeforeEach
  void installProgram() throws IOException {
    Path program = folder.resolve("quotashare");
    Files.writeString(program, PROGRAM);
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(folder.resolve("job.yaml"), "");
    for (CompletionCommand.Shell shell : CompletionCommand.Shell.values()) {
      CliRunner.Result script = cli.run("completion", shell.name());
      assertThat(script.code()).isZero();
      Files.writeString(folder.resolve("completion." + shell), script.out());
    }
  }

  @AfterEach
  void close() {
    cli.close();
  }

  private List<String> complete(CompletionCommand.Shell shell, String line)
      throws IOException, InterruptedException {
    String script =
        switch (shell) {
          case bash ->
              "source ./completion.bash; COMP_LINE=$1; COMP_POINT=${#1}; _quotashare;"
                  + " printf '%s\\n' \"${COMPREPLY[@]}\"";
          case zsh ->
              ZSH_STUBS
                  + "source ./completion.zsh; words=(${(z)1}); [[ $1 == *' ' ]] && words+=('');"
                  + " CURRENT=${#words}; _quotashare";
        };
    return run(shell.name(), "-c", script, "test", line);
  }

  private List<String> run(String... command) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return out.lines().filter(text -> !text.isEmpty()).sorted().toList();
  }

  private static void requireInstalled(CompletionCommand.Shell shell) {
    boolean found =
        Files.isExecutable(Path.of("/bin/" + shell))
            || Files.isExecutable(Path.of("/usr/bin/" + shell));
    Assumptions.assumeTrue(found, shell + " is not installed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "quotashare adm                        | admin",
        "quotashare job re                     | release requeue",
        "quotashare job get                    | j-1 train-2",
        "quotashare job get j                  | j-1",
        "quotashare job cancel j-1 tr          | train-2",
        "quotashare submit --share             | vision",
        "quotashare --context                  | lab",
        "quotashare node drain                 | n1",
        "quotashare queue                      | q",
        "quotashare jobs --state R             | RUNNABLE RUNNING",
        "quotashare jobs -o                    | json name table wide yaml",
        "quotashare jobs --output=j            | json",
        "quotashare simulate -o                | json table",
        "quotashare completion                 | bash zsh",
        "quotashare job get --wa               | --watch",
        "quotashare share create x --in        | --in-share-preemption",
        "quotashare share create x --no        | --no-in-share-preemption",
        "quotashare submit --priority          | ''",
        "quotashare --scheduler a:1 job exp    | explain",
        "quotashare context use                | lab",
      })
  void bashAndZshOfferTheSame(String line, String expected)
      throws IOException, InterruptedException {
    // A line of the table that ends in a whole word asks for the next one.
    String typed =
        line.matches(".*( adm| re| j| tr| R|=j| --wa| --in| --no| exp)") ? line : line + " ";
    List<String> wanted = expected.isEmpty() ? List.of() : List.of(expected.split(" "));
    for (CompletionCommand.Shell shell : CompletionCommand.Shell.values()) {
      if (shell == CompletionCommand.Shell.bash || Files.isExecutable(Path.of("/usr/bin/zsh"))) {
        assertThat(complete(shell, typed)).as(shell + ": " + typed).isEqualTo(wanted);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void filesAreOffered(CompletionCommand.Shell shell) throws IOException, InterruptedException {
    requireInstalled(shell);
    String file = shell == CompletionCommand.Shell.bash ? "job.yaml" : "FILES";

    assertThat(complete(shell, "quotashare submit -f job.y")).containsExactly(file);
    assertThat(complete(shell, "quotashare submit --share a -- job.y")).containsExactly(file);
  }

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void idsAreAskedOfTheSchedulerThatTheLineNames(CompletionCommand.Shell shell)
      throws IOException, InterruptedException {
    requireInstalled(shell);

    complete(shell, "quotashare --scheduler gpu1:7070 job get --queue q ");

    assertThat(Files.readString(folder.resolve("asked")))
        .isEqualTo("jobs --scheduler gpu1:7070 --queue q -o name\n");
  }

  @ParameterizedTest
  @EnumSource(CompletionCommand.Shell.class)
  void theShellFindsNoFaultInItsScript(CompletionCommand.Shell shell)
      throws IOException, InterruptedException {
    requireInstalled(shell);

    assertThat(run(shell.name(), "-n", "completion." + shell)).isEmpty();
  }

  @Test
  void installingWritesWhereTheShellsLook() throws IOException {
    cli.variables.put("XDG_DATA_HOME", folder.resolve("data").toString());

    CliRunner.Result bash = cli.run("completion", "bash", "--install");
    CliRunner.Result zsh = cli.run("completion", "zsh", "--install");

    Path bashFile = folder.resolve("data/bash-completion/completions/quotashare");
    Path zshFile = folder.resolve("data/zsh/site-functions/_quotashare");
    assertThat(bash.err()).startsWith("wrote " + bashFile + "; new shells use it");
    assertThat(zsh.err()).contains("fpath+=(" + zshFile.getParent() + ")");
    assertThat(bash.out()).isEmpty();
    assertThat(bashFile).hasContent(Files.readString(folder.resolve("completion.bash")));
    assertThat(Files.readString(zshFile)).startsWith("#compdef quotashare\n");
  }

  @Test
  void anUnknownShellIsUsage() {
    CliRunner.Result result = cli.run("completion", "fish");

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("expected one of [bash, zsh]");
  }
}
