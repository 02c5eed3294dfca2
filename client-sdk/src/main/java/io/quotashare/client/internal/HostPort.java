package io.quotashare.client.internal;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a server listens.
 *
 * @param host name or address; an IPv6 address without brackets
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9a-fA-F:.%]+)\\]|([A-Za-z0-9._-]+)):([0-9]{1,5})");

  /**
   * Parses a list, of which each entry may be several with commas between them.
   *
   * @throws IllegalArgumentException naming the text and what was expected
   */
  public static List<HostPort> parseAll(List<String> texts) {
    if (texts.isEmpty()) {
      throw new IllegalArgumentException("addresses: none, expected at least one HOST:PORT");
    }
    return texts.stream()
        .flatMap(text -> Arrays.stream(text.split(",", -1)))
        .map(String::strip)
        .map(HostPort::parse)
        .distinct()
        .toList();
  }

  /**
   * Parses {@code host:port} or {@code [ipv6]:port}.
   *
   * @throws IllegalArgumentException naming the text and what was expected
   */
  public static HostPort parse(String text) {
    Matcher form = FORM.matcher(text);
    int port = form.matches() ? Integer.parseInt(form.group(3)) : 0;
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException(
          "address: \"" + text + "\" is not valid here, expected HOST:PORT, port 1 to 65535");
    }
    return new HostPort(form.group(1) != null ? form.group(1) : form.group(2), port);
  }

  @Override
  public String toString() {
    return host.indexOf(':') >= 0 ? "[" + host + "]:" + port : host + ":" + port;
  }
}
