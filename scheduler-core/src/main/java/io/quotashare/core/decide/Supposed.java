package io.quotashare.core.decide;

import io.quotashare.core.model.Job;
import io.quotashare.core.model.ShareKey;
import java.util.SortedMap;

/**
 * A start that is only supposed, to ask what others could do after it. Nothing is changed by that.
 *
 * @param job the job that would start
 * @param places where: free devices, by node
 */
record Supposed(Job job, SortedMap<String, Integer> places) {
  /** Share that would be charged. */
  ShareKey share() {
    return job.share();
  }

  /** Devices that it would take. */
  int gpus() {
    return job.gpus();
  }
}
