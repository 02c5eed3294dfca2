package io.quotashare.client;

import io.grpc.ManagedChannelBuilder;
import io.quotashare.client.internal.Connection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes clients over channels that are not TCP, for test kits. Not API: the one class of this
 * package that shows types of gRPC.
 */
public final class InternalQuotaShareClient {
  private InternalQuotaShareClient() {}

  /**
   * A client over these channels, with the settings of every other client.
   *
   * @param shown the address that messages name
   */
  public static QuotaShareClient over(
      ManagedChannelBuilder<?> channel,
      @Nullable ManagedChannelBuilder<?> admin,
      String shown,
      Consumer<String> connectionListener) {
    return new QuotaShareClient(Connection.over(channel, admin, shown, connectionListener));
  }
}
