package io.quotashare.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a tree of empty modules, with stand-ins for Maven and Java. */
class LauncherTest {
  private static final String MAVEN =
      """
      #!/bin/sh
      echo build >>"$TREE/calls"
      for m in cli scheduler-server node-agent; do mkdir -p "$TREE/$m/target"; : >"$TREE/$m/target/$m.jar"; done
      """;

  private static final String JAVA =
      """
      #!/bin/sh
      case "$*" in
        *-XshowSettings:properties*) echo '    java.specification.version = 17' >&2; exit ;;
        *server.Main*) exit ;;
        *-Xshare:dump*)
          echo archive >>"$TREE/calls"
          for a in "$@"; do case $a in -XX:SharedArchiveFile=*) : >"${a#*=}" ;; esac; done
          exit ;;
        *DumpLoadedClassList*) cat >"$TREE/rehearsed"; exit ;;
      esac
      echo "run $*" >>"$TREE/calls"
      """;

  @TempDir private Path tree;

  @BeforeEach
  void makeTree() throws IOException {
    Files.copy(Path.of("..", "quotashare"), tree.resolve("quotashare"));
    for (String module :
        List.of("proto", "scheduler-core", "scheduler-server", "node-agent", "client-sdk", "cli")) {
      Files.createDirectories(tree.resolve(module).resolve("src/main/java"));
      Files.createDirectories(tree.resolve(module).resolve("src/test/java"));
      Files.writeString(tree.resolve(module).resolve("pom.xml"), "");
    }
    Files.writeString(tree.resolve("pom.xml"), "");
    for (String bin : List.of("bin", "other/bin")) {
      Files.createDirectories(tree.resolve(bin));
      program(bin + "/mvn", MAVEN);
      program(bin + "/java", JAVA);
      program(bin + "/javac", "#!/bin/sh\n");
    }
    inThePast(tree);
  }

  private void program(String name, String text) throws IOException {
    Files.writeString(tree.resolve(name), text);
    Files.setPosixFilePermissions(tree.resolve(name), PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** What the launcher builds is newer than every source, whatever the clock's resolution. */
  private static void inThePast(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
      }
    }
  }

  /** What Maven and Java were called for by one run. */
  private List<String> run(Map<String, String> variables) throws IOException, InterruptedException {
    Files.writeString(tree.resolve("calls"), "");
    ProcessBuilder builder = new ProcessBuilder(tree.resolve("quotashare").toString(), "version");
    builder.environment().remove("JAVA_HOME");
    builder.environment().remove("QUOTASHARE_NO_BUILD");
    builder.environment().put("TREE", tree.toString());
    builder.environment().put("PATH", tree.resolve("bin") + ":" + System.getenv("PATH"));
    builder.environment().putAll(variables);
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(out).isZero();
    return Files.readAllLines(tree.resolve("calls")).stream()
        .map(line -> line.replaceFirst("^run .*SharedArchiveFile=.*", "run with archive"))
        .map(line -> line.replaceFirst("^run -.*", "run"))
        .toList();
  }

  @Test
  void buildsOnceAndNeverAgainWhatIsCurrent() throws IOException, InterruptedException {
    assertThat(run(Map.of())).containsExactly("build", "archive", "run with archive");
    assertThat(run(Map.of())).containsExactly("run with archive");
    Files.writeString(tree.resolve("cli/src/test/java/Some.java"), "");
    Files.writeString(tree.resolve("README.md"), "");
    assertThat(run(Map.of()))
        .as("tests and pages are not in the programs")
        .containsExactly("run with archive");
  }

  @Test
  void buildsAgainWhenASourceIsNewer() throws IOException, InterruptedException {
    run(Map.of());
    Path source = tree.resolve("client-sdk/src/main/java/Some.java");
    Files.writeString(source, "");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));

    assertThat(run(Map.of("QUOTASHARE_NO_BUILD", "1"))).containsExactly("run with archive");
    assertThat(run(Map.of())).containsExactly("build", "archive", "run with archive");
  }

  @Test
  void anArchiveServesOnlyTheJavaThatMadeIt() throws IOException, InterruptedException {
    run(Map.of());

    assertThat(run(Map.of("JAVA_HOME", tree.resolve("other").toString()))).containsExactly("run");
  }

  @Test
  void theArchiveIsLearntFromRealCommands() throws IOException, InterruptedException {
    run(Map.of());

    List<List<String>> lines =
        Files.readAllLines(tree.resolve("rehearsed")).stream()
            .map(line -> List.of(line.split(" ")))
            .toList();
    assertThat(lines).hasSizeGreaterThan(10);
    for (List<String> line : lines) {
      assertThat(Commands.root().parseArgs(line.toArray(new String[0])).errors()).isEmpty();
    }
  }
}
