package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

/** Which texts every database gives back as it got them. */
final class Texts {
  private Texts() {}

  /**
   * Throws if a text holds half a surrogate pair, for which a database would store something else.
   *
   * @param name what it is, for the message
   */
  static void checkUnicode(String text, String name) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        boolean pair =
            Character.isHighSurrogate(unit)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        checkArgument(pair, "%s: half a surrogate pair at offset %s", name, i);
        i++;
      }
    }
  }

  /** Throws also if a text holds the character NUL, which PostgreSQL does not take. */
  static void checkColumn(String text, String name) {
    checkUnicode(text, name);
    int nul = text.indexOf('\0');
    checkArgument(nul < 0, "%s: character NUL at offset %s", name, nul);
  }
}
