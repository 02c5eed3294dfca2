package io.quotashare.server.grpc;

import com.google.protobuf.MessageLite;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Page sizes and tokens. A token carries where the next page begins and a hash of the list that it
 * belongs to, so that a token of another list or another filter is refused.
 */
public final class Pages {
  /** Largest page. */
  public static final int MAX_SIZE = 1000;

  private static final int HASH_LENGTH = 16;

  private Pages() {}

  /**
   * The size of a page.
   *
   * @param requested from the request; 0 stands for {@code defaultSize}
   */
  public static int size(int requested, int defaultSize) {
    if (requested == 0) {
      return defaultSize;
    }
    if (requested < 0 || requested > MAX_SIZE) {
      throw Errors.invalid("page_size", requested + " (expected: 1 to " + MAX_SIZE + ")");
    }
    return requested;
  }

  /**
   * A token.
   *
   * @param list the request without its page fields
   * @param after key of the last item of the page
   */
  public static String token(MessageLite list, String after) {
    byte[] text = (hash(list) + after).getBytes(StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text);
  }

  /** The key in a token; empty for an empty token. */
  public static String after(MessageLite list, String token) {
    if (token.isEmpty()) {
      return "";
    }
    String text;
    try {
      text = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw foreign(token);
    }
    if (text.length() <= HASH_LENGTH || !text.startsWith(hash(list))) {
      throw foreign(token);
    }
    return text.substring(HASH_LENGTH);
  }

  private static String hash(MessageLite list) {
    return Requests.hashOf(list.getClass().getSimpleName(), list).substring(0, HASH_LENGTH);
  }

  /** What a token of another list, or of none, is answered with. */
  public static io.grpc.StatusRuntimeException foreign(String token) {
    return Errors.invalid(
        "page_token",
        FieldChecks.shown(token) + " (expected: next_page_token of an earlier page of this list)");
  }
}
