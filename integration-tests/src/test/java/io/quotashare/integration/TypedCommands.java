package io.quotashare.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands that a document tells a newcomer to type, one after the other. */
final class TypedCommands {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```\n(.*?)^```$");

  private TypedCommands() {}

  /** Those in the code blocks of a whole page. */
  static List<String> of(String page) {
    return in(read(page));
  }

  /**
   * Those in the code blocks of a section.
   *
   * @param section title of the section, which has no sections of its own
   */
  static List<String> of(String page, String section) {
    String text = read(page);
    int start = text.indexOf("\n## " + section + "\n");
    if (start < 0) {
      throw new AssertionError(page + " has no section " + section);
    }
    return in(text.substring(start, text.indexOf("\n## ", start + 1)));
  }

  /** A command may have several lines: it ends where the shell would take it as complete. */
  private static List<String> in(String text) {
    List<String> commands = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      addCommands(block.group(1), commands);
    }
    return commands;
  }

  private static String read(String page) {
    try {
      return Files.readString(ROOT.resolve(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void addCommands(String block, List<String> commands) {
    StringBuilder command = new StringBuilder();
    boolean inLoop = false;
    boolean inText = false;
    for (String line : block.split("\n")) {
      command.append(command.isEmpty() ? "" : "\n").append(line);
      inLoop = (inLoop || line.startsWith("for ")) && !line.equals("done");
      inText = (inText || line.endsWith("<<'END'")) && !line.equals("END");
      if (!inLoop && !inText && !line.endsWith("\\")) {
        commands.add(command.toString());
        command.setLength(0);
      }
    }
  }
}
