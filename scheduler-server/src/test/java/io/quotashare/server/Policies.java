package io.quotashare.server;

import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.ApplyPolicyRequest;
import io.quotashare.proto.v1.JobSpec;
import io.quotashare.proto.v1.PolicyQueue;
import io.quotashare.proto.v1.Queue;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.proto.v1.SharingStrategy;
import io.quotashare.proto.v1.SubmitJobRequest;

/** Policies and submissions that tests begin with. */
public final class Policies {
  private Policies() {}

  /** Two shares: {@code lender} owns two H100 and lends; {@code borrower} owns one and borrows. */
  public static ApplyPolicyRequest lenderAndBorrower() {
    return ApplyPolicyRequest.newBuilder()
        .addQueues(
            PolicyQueue.newBuilder()
                .setQueue(Queue.newBuilder().setName("queues/research"))
                .addShares(share("lender", 2).setStrategy(SharingStrategy.SHARING_STRATEGY_LEND))
                .addShares(
                    share("borrower", 1)
                        .setStrategy(SharingStrategy.SHARING_STRATEGY_LEND_AND_BORROW)))
        .build();
  }

  /** Key of a share of the queue. */
  public static ShareKey key(String share) {
    return new ShareKey("research", share);
  }

  public static QuotaShare.Builder share(String id, int h100) {
    return QuotaShare.newBuilder()
        .setName("queues/research/shares/" + id)
        .putCapacity("H100", h100)
        .setInSharePreemption(false);
  }

  public static JobSpec.Builder spec(String share, int gpus) {
    return JobSpec.newBuilder()
        .setShare("queues/research/shares/" + share)
        .setGpus(gpus)
        .addCommand("/bin/train");
  }

  public static SubmitJobRequest.Builder submit(String id, String share, int gpus) {
    return SubmitJobRequest.newBuilder()
        .setParent("queues/research")
        .setJobId(id)
        .setSpec(spec(share, gpus));
  }
}
