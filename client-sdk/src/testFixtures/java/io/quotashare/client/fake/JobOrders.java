package io.quotashare.client.fake;

import com.google.protobuf.util.Timestamps;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobOrder;
import java.util.Comparator;

/** Orders of a list of jobs. */
final class JobOrders {
  private static final Comparator<Job> BY_NAME = Comparator.comparing(Job::getName);
  private static final Comparator<Job> OLDEST_FIRST =
      Comparator.comparing(Job::getSubmittedAt, Timestamps.comparator()).thenComparing(BY_NAME);

  private JobOrders() {}

  static Comparator<Job> of(JobOrder order) {
    return switch (order) {
      case JOB_ORDER_NEWEST_FIRST -> OLDEST_FIRST.reversed();
      case JOB_ORDER_OLDEST_FIRST -> OLDEST_FIRST;
      case JOB_ORDER_ID, JOB_ORDER_UNSPECIFIED, UNRECOGNIZED -> BY_NAME;
    };
  }
}
