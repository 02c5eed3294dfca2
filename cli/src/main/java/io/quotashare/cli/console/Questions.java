package io.quotashare.cli.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Asks the user, who sits at a terminal. */
public final class Questions {
  private Questions() {}

  /** True for {@code y} and {@code yes}; everything else, and the end of the input, is a no. */
  public static boolean confirmed(PrintWriter err, InputStream in, String question)
      throws IOException {
    String answer = answer(err, in, question + " [y/N] ");
    return answer.equals("y") || answer.equals("yes");
  }

  /** The line that the user types, in lower case, without blanks around it. */
  public static String answer(PrintWriter err, InputStream in, String question) throws IOException {
    err.print(question);
    err.flush();
    StringBuilder line = new StringBuilder();
    byte[] one = new byte[1];
    while (in.read(one) == 1 && one[0] != '\n') {
      line.append(new String(one, StandardCharsets.UTF_8));
    }
    return line.toString().strip().toLowerCase(Locale.ROOT);
  }
}
