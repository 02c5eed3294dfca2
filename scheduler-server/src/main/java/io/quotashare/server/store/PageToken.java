package io.quotashare.server.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Opaque tokens over the sort key of the last row of a page. */
final class PageToken {
  private static final char SEPARATOR = '\n';

  private PageToken() {}

  static String of(Object... values) {
    StringBuilder text = new StringBuilder();
    for (Object value : values) {
      text.append(value instanceof Long ? 'n' : 't').append(value).append(SEPARATOR);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.toString().getBytes(UTF_8));
  }

  /**
   * The values of a token.
   *
   * @param kinds what they must be, in their order: n for a number, t for text
   */
  static List<Object> parse(String token, String kinds) {
    try {
      String text = new String(Base64.getUrlDecoder().decode(token), UTF_8);
      List<Object> values = new ArrayList<>();
      int from = 0;
      for (int i = 0; i < kinds.length(); i++) {
        int end = text.indexOf(SEPARATOR, from);
        if (end < 0 || text.charAt(from) != kinds.charAt(i)) {
          throw new InvalidPageTokenException(token);
        }
        String value = text.substring(from + 1, end);
        values.add(kinds.charAt(i) == 'n' ? (Object) Long.valueOf(value) : value);
        from = end + 1;
      }
      if (from != text.length()) {
        throw new InvalidPageTokenException(token);
      }
      return values;
    } catch (InvalidPageTokenException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new InvalidPageTokenException(token);
    }
  }
}
