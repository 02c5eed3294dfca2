package io.quotashare.server.config;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a listener listens.
 *
 * @param host name or address
 * @param port 0 for a free one
 */
public record ListenAddress(String host, int port) {
  private static final Pattern PATTERN =
      Pattern.compile("(\\[[0-9a-fA-F:.]+\\]|[^:\\[\\]\\s]+):([0-9]{1,5})");

  public ListenAddress {
    requireNonNull(host, "host is null");
  }

  static Optional<ListenAddress> parse(String text) {
    Matcher matcher = PATTERN.matcher(text);
    if (!matcher.matches() || Integer.parseInt(matcher.group(2)) > 65_535) {
      return Optional.empty();
    }
    String host = matcher.group(1);
    boolean bracketed = host.startsWith("[");
    return Optional.of(
        new ListenAddress(
            bracketed ? host.substring(1, host.length() - 1) : host,
            Integer.parseInt(matcher.group(2))));
  }

  /** Whether only processes of this host can reach it. */
  public boolean isLoopback() {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  /** The same for the network. */
  public InetSocketAddress toSocketAddress() {
    return new InetSocketAddress(host, port);
  }

  /** The same host with the port that was taken. */
  public ListenAddress withPort(int taken) {
    return new ListenAddress(host, taken);
  }

  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
