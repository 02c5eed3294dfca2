package io.quotashare.server.queues;

import io.quotashare.core.QueueView;
import io.quotashare.proto.v1.FrontJob;
import io.quotashare.proto.v1.GetQueueSnapshotResponse;
import io.quotashare.proto.v1.PoolUsage;
import io.quotashare.server.jobs.JobWriter;
import io.quotashare.server.shares.LastDay;
import io.quotashare.server.shares.QueueConverter;
import io.quotashare.server.view.JobView;

/** A queue at one instant in the words of the contract. */
final class SnapshotWriter {
  private SnapshotWriter() {}

  static GetQueueSnapshotResponse snapshot(QueueView view, LastDay.OfQueue lastDay) {
    GetQueueSnapshotResponse.Builder result =
        GetQueueSnapshotResponse.newBuilder().setQueue(QueueConverter.queue(view.queue()));
    view.pools().forEach(pool -> result.addPools(pool(pool)));
    view.shares().forEach(share -> result.addShares(lastDay.status(share)));
    view.fronts()
        .forEach(
            front ->
                result.addFronts(
                    FrontJob.newBuilder()
                        .setShare(front.share())
                        .setUnit(front.unit())
                        .setJob(JobWriter.job(new JobView(front.job(), null)))));
    return result.build();
  }

  private static PoolUsage pool(QueueView.PoolView pool) {
    return PoolUsage.newBuilder()
        .setUnit(pool.unit())
        .setTotal(pool.total())
        .setHeld(pool.held())
        .setHeldForBeneficiary(pool.heldForBeneficiary())
        .setReservedIdle(pool.reservedIdle())
        .setFree(pool.free())
        .setOutside(pool.outside())
        .setUnhealthy(pool.unhealthy())
        .setOvercommitted(pool.overcommitted())
        .build();
  }
}
