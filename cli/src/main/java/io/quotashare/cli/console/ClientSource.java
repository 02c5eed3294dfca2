package io.quotashare.cli.console;

import io.quotashare.client.QuotaShareClient;
import java.util.List;
import java.util.function.Consumer;

/** Makes clients; a test puts its own here. */
public interface ClientSource {
  /**
   * A client for these addresses.
   *
   * @param connectionMessages hears when a connection was lost and is tried again
   * @throws IllegalArgumentException if an address is not HOST:PORT
   */
  QuotaShareClient open(List<String> schedulers, String admin, Consumer<String> connectionMessages);

  /** Clients over TCP. */
  static ClientSource overTcp() {
    return (schedulers, admin, messages) ->
        QuotaShareClient.builder(schedulers.toArray(new String[0]))
            .adminAddress(admin)
            .userAgent("quotashare-cli")
            .connectionListener(messages)
            .build();
  }
}
