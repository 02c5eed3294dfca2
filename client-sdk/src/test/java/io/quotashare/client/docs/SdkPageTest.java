package io.quotashare.client.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.client.AdminClient;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobsClient;
import io.quotashare.client.NodesClient;
import io.quotashare.client.QueuesClient;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.SharesClient;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * docs/sdk.md shows what compiles and runs: its examples are those of the test sources, to the
 * letter, and no call and no exception is missing from it.
 */
class SdkPageTest {
  private static final Path PAGE = Path.of("..", "docs", "sdk.md");
  private static final Path SOURCES = Path.of("src/test/java/io/quotashare/client/docs");
  private static final Pattern BLOCK =
      Pattern.compile("(?:<!-- snippet: ([-a-z]+) -->\n)?```java\n(.*?)```", Pattern.DOTALL);

  private static Map<String, String> snippets() throws IOException {
    Map<String, String> snippets = new LinkedHashMap<>();
    for (String file : List.of("SdkExamplesTest.java", "SdkShareExamplesTest.java")) {
      collect(Files.readAllLines(SOURCES.resolve(file)), snippets);
    }
    snippets.replaceAll((name, code) -> dedent(code));
    return snippets;
  }

  /** A snippet may be interrupted by lines that only the test needs. */
  private static void collect(List<String> lines, Map<String, String> into) {
    String open = "";
    for (String line : lines) {
      String word = line.strip();
      if (word.startsWith("// snippet: ")) {
        open = word.substring("// snippet: ".length());
        into.putIfAbsent(open, "");
      } else if (word.equals("// end")) {
        open = "";
      } else if (!open.isEmpty()) {
        into.merge(open, line + "\n", String::concat);
      }
    }
  }

  private static String dedent(String code) {
    int indent =
        code.lines()
            .filter(line -> !line.isBlank())
            .mapToInt(line -> line.length() - line.stripLeading().length())
            .min()
            .orElse(0);
    return code.lines()
        .map(line -> line.isBlank() ? "" : line.substring(indent))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  @Test
  void everyExampleIsThatOfATest() throws IOException {
    Map<String, String> unused = snippets();
    List<String> wrong = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(Files.readString(PAGE));
    while (blocks.find()) {
      String name = blocks.group(1);
      String expected = name == null ? null : unused.remove(name);
      if (!blocks.group(2).equals(expected)) {
        wrong.add(
            "snippet "
                + name
                + " of the page:\n"
                + blocks.group(2)
                + "\nof the test:\n"
                + expected);
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(unused.keySet()).as("snippets that the page does not show").isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        JobsClient.class,
        JobHandle.class,
        SharesClient.class,
        QueuesClient.class,
        NodesClient.class,
        AdminClient.class
      })
  void noCallIsMissing(Class<?> client) throws IOException {
    String page = Files.readString(PAGE);
    Set<String> called =
        BLOCK
            .matcher(page)
            .results()
            .flatMap(block -> Pattern.compile("\\.(\\w+)\\(").matcher(block.group(2)).results())
            .map(call -> call.group(1))
            .collect(Collectors.toSet());

    Stream<String> calls =
        Arrays.stream(client.getDeclaredMethods())
            .filter(m -> Modifier.isPublic(m.getModifiers()) && !m.isSynthetic())
            .map(Method::getName)
            .filter(name -> !name.endsWith("Async"))
            .filter(name -> !Set.of("name", "id", "queue", "toString").contains(name))
            .distinct();

    assertThat(calls)
        .allSatisfy(name -> assertThat(called).as(client.getSimpleName()).contains(name));
  }

  @Test
  void noExceptionIsMissing() throws IOException {
    String page = Files.readString(PAGE);
    Path classes = Path.of("src/main/java/io/quotashare/client");
    List<String> exceptions;
    try (Stream<Path> files = Files.list(classes)) {
      exceptions =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith("Exception.java"))
              .map(name -> name.replace(".java", ""))
              .toList();
    }

    assertThat(exceptions).contains(QuotaShareException.class.getSimpleName());
    assertThat(exceptions).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
  }
}
