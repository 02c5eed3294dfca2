package io.quotashare.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Splits a command line of a manual as a shell would: quotes, substitutions, pipes, redirections.
 */
final class ShellWords {
  private ShellWords() {}

  /** The command lines that begin with {@code quotashare}; a line that ends with \ goes on. */
  static List<List<String>> commands(List<String> lines) {
    List<List<String>> commands = new ArrayList<>();
    String text = String.join("\n", lines).replaceAll("\\\\\n *", "").replace(" && ", "\n");
    for (String line : text.split("\n", -1)) {
      int at = line.indexOf("quotashare ");
      if (at >= 0) {
        commands.add(words(line.substring(at + "quotashare ".length())));
      }
    }
    return commands;
  }

  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean started = false;
    char quote = 0;
    for (char c : (line + " ").toCharArray()) {
      if (quote == 0 && (c == ')' || c == '|' || c == '>' || c == '#' || c == ';')) {
        c = ' ';
        quote = '\n'; // what follows belongs to the shell
      }
      if (quote == '\n') {
        if (started) {
          words.add(word.toString());
        }
        return words;
      }
      if (quote == 0 && (c == '"' || c == '\'')) {
        quote = c;
        started = true;
      } else if (c == quote) {
        quote = 0;
      } else if (quote == 0 && c == ' ') {
        if (started) {
          words.add(word.toString());
        }
        word.setLength(0);
        started = false;
      } else {
        word.append(c);
        started = true;
      }
    }
    return words;
  }
}
