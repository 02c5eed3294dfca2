package io.quotashare.server.grpc;

import io.quotashare.server.config.ConfigKey;
import io.quotashare.server.config.ListenAddress;
import java.io.IOException;
import java.net.BindException;

/** An address cannot be listened on. */
public final class ListenException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Names the address, why, and the flag that changes it. */
  public ListenException(ConfigKey<ListenAddress> key, ListenAddress address, IOException cause) {
    super(
        "cannot listen on "
            + address
            + ": "
            + reason(cause)
            + "; choose another by "
            + key.flag()
            + " (key "
            + key.path()
            + ")",
        cause);
  }

  private static String reason(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    String text = String.valueOf(root.getMessage());
    boolean taken = root instanceof BindException || text.contains("Address already in use");
    return taken && text.contains("in use") ? "the address is in use" : text;
  }
}
