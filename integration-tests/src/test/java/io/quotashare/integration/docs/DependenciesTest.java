package io.quotashare.integration.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** docs/dependencies.md names every library that a module asks for, in the version in use. */
class DependenciesTest {
  private static final String OURS = "io.quotashare";

  private record Library(String group, String artifact) {}

  @Test
  void everyLibraryHasItsRow() {
    String page = SourceTree.read("docs/dependencies.md");
    List<String> missing = new ArrayList<>();
    modules()
        .map(module -> module + "/pom.xml")
        .flatMap(pom -> libraries(pom).stream())
        .filter(library -> !library.group().equals(OURS))
        .distinct()
        .filter(library -> page.lines().noneMatch(line -> names(line, library)))
        .forEach(library -> missing.add(library.group() + ": " + library.artifact()));

    assertThat(missing).as("used in a pom.xml and without a row in docs/dependencies.md").isEmpty();
  }

  @Test
  void versionsAreThoseOfTheBuild() {
    Map<String, String> versions = new HashMap<>();
    NodeList properties =
        parse("pom.xml").getElementsByTagName("properties").item(0).getChildNodes();
    for (int i = 0; i < properties.getLength(); i++) {
      if (properties.item(i) instanceof Element property) {
        versions.put(property.getTagName(), property.getTextContent().strip());
      }
    }
    Matcher row =
        Pattern.compile("(?m)^\\| [^|]+\\| ([0-9][^|]*) \\|")
            .matcher(SourceTree.read("docs/dependencies.md"));
    int rows = 0;
    while (row.find()) {
      for (String version : row.group(1).split(", ")) {
        rows++;
        // The lint of the contract is pinned beside the other tools of npm.
        assertThat(versions.containsValue(version) || isTool(version))
            .as("version in «%s»", row.group())
            .isTrue();
      }
    }
    assertThat(rows).isGreaterThan(20);
  }

  private static boolean isTool(String version) {
    return SourceTree.read("tools/package.json").contains("\"" + version + "\"");
  }

  private static boolean names(String line, Library library) {
    return line.startsWith("| " + library.group())
        && Pattern.compile("[ ,]" + Pattern.quote(library.artifact()) + "[ ,]")
            .matcher(line)
            .find();
  }

  private static Stream<String> modules() {
    NodeList modules = parse("pom.xml").getElementsByTagName("module");
    List<String> names = new ArrayList<>();
    for (int i = 0; i < modules.getLength(); i++) {
      names.add(modules.item(i).getTextContent().strip());
    }
    assertThat(names).contains("scheduler-core", "cli");
    return names.stream();
  }

  private static List<Library> libraries(String pom) {
    NodeList found = parse(pom).getElementsByTagName("dependency");
    List<Library> libraries = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      Element dependency = (Element) found.item(i);
      libraries.add(new Library(text(dependency, "groupId"), text(dependency, "artifactId")));
    }
    return libraries;
  }

  private static String text(Element element, String tag) {
    return element.getElementsByTagName(tag).item(0).getTextContent().strip();
  }

  private static Document parse(String pom) {
    try {
      return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File("../" + pom));
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new AssertionError(pom, e);
    }
  }
}
