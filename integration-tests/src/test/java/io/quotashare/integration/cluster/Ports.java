package io.quotashare.integration.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports of the loopback address. They lie below the range from which the kernel takes the
 * ports of outgoing connections: a client that dials a dead server again and again must not take
 * the port itself before the server is back.
 */
public final class Ports {
  private static final int FIRST = 10_000;
  private static final int LAST = 19_999;
  private static final int TRIES = 1_000;

  private static final Set<Integer> given = new HashSet<>();

  private Ports() {}

  /** A port that was free a moment ago and is given to nobody else by this class. */
  public static synchronized int free() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
      if (!given.contains(port) && isFree(port)) {
        given.add(port);
        return port;
      }
    }
    throw new IllegalStateException("no free port from " + FIRST + " to " + LAST);
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
