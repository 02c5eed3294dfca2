package io.quotashare.client;

import io.quotashare.client.internal.Watcher;
import java.util.function.Function;

/** What happens to jobs, event by event; see {@link JobsClient#watch}. */
public final class JobWatch extends Watch<JobEvent> {
  JobWatch(Function<Watcher.Observer<JobEvent>, Watcher<JobEvent>> open) {
    super(open);
  }
}
