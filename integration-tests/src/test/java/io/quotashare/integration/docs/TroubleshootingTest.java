package io.quotashare.integration.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.proto.v1.WaitingReason;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every message of docs/troubleshooting.md is said by a program, and every reason is explained. */
class TroubleshootingTest {
  private static final String PAGE = SourceTree.read("docs/troubleshooting.md");

  /** Places in the sources where a refusal gets its reason. */
  private static final Pattern REFUSAL =
      Pattern.compile(
          "(?:Errors\\.(?:of|retryLater)|new RejectedException|new Shown|invalid|precondition"
              + "|exhausted|refuse|notFound)\\(\\s*(?:[\\w.]+,\\s*)?\"([A-Z]+(?:_[A-Z]+)*)\"");

  private static final Pattern CODE = Pattern.compile("`([A-Z]+(?:_[A-Z]+)*)`");

  @Test
  void everyMessageIsSaid() {
    List<String> sources = SourceTree.javaSources();
    Matcher heading = Pattern.compile("(?m)^### `(.*)`$").matcher(PAGE);
    int count = 0;
    while (heading.find()) {
      count++;
      for (String part : heading.group(1).split("…", -1)) {
        String fixed = part.strip();
        assertThat(sources)
            .as("docs/troubleshooting.md has «%s»; no program says «%s»", heading.group(1), fixed)
            .anyMatch(source -> source.contains(fixed));
      }
    }
    assertThat(count).isGreaterThan(10);
  }

  @Test
  void everyWaitingReasonIsExplained() {
    Set<String> reasons = new TreeSet<>();
    Arrays.stream(WaitingReason.values())
        .filter(r -> r != WaitingReason.UNRECOGNIZED && r.getNumber() != 0)
        .forEach(r -> reasons.add(r.name().substring("WAITING_REASON_".length())));

    assertThat(codes(section("A job waits"))).containsExactlyInAnyOrderElementsOf(reasons);
  }

  @Test
  void everyErrorReasonIsExplained() {
    Set<String> said = new TreeSet<>();
    for (String source : SourceTree.javaSources()) {
      Matcher refusal = REFUSAL.matcher(source);
      while (refusal.find()) {
        said.add(refusal.group(1));
      }
    }
    assertThat(said).contains("NOT_FOUND", "STORE_FULL", "JOB_EXISTS", "WATCH_TOO_SLOW");

    assertThat(codes(section("The scheduler refuses"))).containsAll(said);
  }

  private static Set<String> codes(String text) {
    Set<String> codes = new TreeSet<>();
    text.lines()
        .filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(0, line.indexOf('|', 1)))
        .forEach(cell -> CODE.matcher(cell).results().forEach(code -> codes.add(code.group(1))));
    return codes;
  }

  private static String section(String title) {
    int start = PAGE.indexOf("\n## " + title + "\n");
    assertThat(start).as(title).isNotNegative();
    int end = PAGE.indexOf("\n## ", start + 1);
    return PAGE.substring(start, end);
  }
}
