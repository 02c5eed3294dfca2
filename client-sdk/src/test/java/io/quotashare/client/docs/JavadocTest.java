package io.quotashare.client.docs;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that a program can use says what it is, and its links lead somewhere. */
class JavadocTest {
  private static final Path SOURCES = Path.of("src/main/java");

  /** A first sentence says what is returned and taken; a tag is written where it adds something. */
  private static final List<String> OPTIONAL = List.of("no @param", "no @return", "no @throws");

  private static List<Path> sources() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList();
    }
  }

  @Test
  void everythingPublicIsDocumented(@TempDir Path classes) throws IOException {
    JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler(), "needs a JDK");
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
      List<String> options =
          List.of(
              "-Xdoclint:all/protected",
              "-Xmaxwarns",
              "10000",
              "-proc:none",
              "-d",
              classes.toString(),
              "-classpath",
              System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(
                  null, files, found, options, null, files.getJavaFileObjectsFromPaths(sources()))
              .call();

      assertThat(compiled).as("%s", found.getDiagnostics()).isTrue();
    }
    assertThat(found.getDiagnostics())
        .filteredOn(d -> d.getSource() != null)
        .extracting(
            d -> d.getSource().getName() + ":" + d.getLineNumber() + " " + d.getMessage(null))
        .filteredOn(text -> OPTIONAL.stream().noneMatch(text::contains))
        .isEmpty();
  }
}
