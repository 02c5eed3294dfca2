package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

/** Which texts every database gives back as it got them. */
final class Texts {
  private static final char REPLACEMENT = '\ufffd';

  private Texts() {}

  /**
   * Throws if a text holds half a surrogate pair, for which a database would store something else.
   *
   * @param name what it is, for the message
   */
  static void checkUnicode(String text, String name) {
    int offset = halfPair(text);
    checkArgument(offset < 0, "%s: half a surrogate pair at offset %s", name, offset);
  }

  /** Throws also if a text holds the character NUL, which PostgreSQL does not take. */
  static void checkColumn(String text, String name) {
    checkUnicode(text, name);
    int nul = text.indexOf('\0');
    checkArgument(nul < 0, "%s: character NUL at offset %s", name, nul);
  }

  /** The text with a replacement character for whatever a column does not take. */
  static String toColumn(String text) {
    String clean = text.replace('\0', REPLACEMENT);
    int offset = halfPair(clean);
    if (offset < 0) {
      return clean;
    }
    StringBuilder mended = new StringBuilder(clean);
    while (offset >= 0) {
      mended.setCharAt(offset, REPLACEMENT);
      offset = halfPair(mended);
    }
    return mended.toString();
  }

  /** Where half a surrogate pair is; negative if nowhere. */
  private static int halfPair(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        boolean pair =
            Character.isHighSurrogate(unit)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return i;
        }
        i++;
      }
    }
    return -1;
  }
}
