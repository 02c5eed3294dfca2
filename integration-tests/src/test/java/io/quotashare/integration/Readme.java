package io.quotashare.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The commands that the README tells a newcomer to type, one after the other. */
final class Readme {
  private static final Path FILE = Path.of("../README.md");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```\n(.*?)^```$");

  private Readme() {}

  /**
   * The commands in the code blocks of a section, in their order. A command may have several lines:
   * it ends where the shell would take it as complete.
   *
   * @param section title of the section, which has no sections of its own
   */
  static List<String> commands(String section) {
    String text;
    try {
      text = Files.readString(FILE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    int start = text.indexOf("\n## " + section + "\n");
    if (start < 0) {
      throw new AssertionError("README.md has no section " + section);
    }
    int end = text.indexOf("\n## ", start + 1);
    List<String> commands = new ArrayList<>();
    Matcher block = BLOCK.matcher(text.substring(start, end));
    while (block.find()) {
      addCommands(block.group(1), commands);
    }
    return commands;
  }

  private static void addCommands(String block, List<String> commands) {
    StringBuilder command = new StringBuilder();
    boolean inLoop = false;
    for (String line : block.split("\n")) {
      command.append(command.isEmpty() ? "" : "\n").append(line);
      inLoop = (inLoop || line.startsWith("for ")) && !line.equals("done");
      if (!inLoop && !line.endsWith("\\")) {
        commands.add(command.toString());
        command.setLength(0);
      }
    }
  }
}
