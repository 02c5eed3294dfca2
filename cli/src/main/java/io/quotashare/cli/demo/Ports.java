package io.quotashare.cli.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Free ports on loopback. Another program may take one between this look and its use; then the
 * scheduler says so and the demo ends.
 *
 * @param api of the public services
 * @param agents of the agents
 * @param admin of operators
 * @param http of metrics
 */
record Ports(int api, int agents, int admin, int http) {
  static Ports free() {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 4; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return new Ports(
          sockets.get(0).getLocalPort(),
          sockets.get(1).getLocalPort(),
          sockets.get(2).getLocalPort(),
          sockets.get(3).getLocalPort());
    } catch (IOException e) {
      throw new DemoException("there is no free port on loopback: " + e.getMessage(), e);
    } finally {
      for (ServerSocket socket : sockets) {
        try {
          socket.close();
        } catch (IOException e) {
          // Closing a socket that nobody has connected to has nothing left to lose.
        }
      }
    }
  }

  static String loopback(int port) {
    return "127.0.0.1:" + port;
  }
}
