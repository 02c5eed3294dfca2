package io.quotashare.client;

import io.quotashare.client.internal.Watcher;
import java.util.function.Function;

/** What happens to shares, event by event; see {@link SharesClient#watch}. */
public final class ShareWatch extends Watch<ShareEvent> {
  ShareWatch(Function<Watcher.Observer<ShareEvent>, Watcher<ShareEvent>> open) {
    super(open);
  }
}
