package io.quotashare.server.shares;

import io.quotashare.core.LoanVictim;
import io.quotashare.core.QueueView;
import io.quotashare.core.Scheduler;
import io.quotashare.proto.v1.ListLoansResponse;
import io.quotashare.proto.v1.Loan;
import io.quotashare.server.dryrun.DryRuns;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.Times;

/** Who lends what to whom, and whom it could cost. */
record LoanLister(String queue) implements DryRuns.Question<ListLoansResponse> {
  @Override
  public ListLoansResponse ask(Scheduler copy, long nowMillis) {
    if (copy.queues().stream().noneMatch(known -> known.name().equals(queue))) {
      throw Errors.notFound("queue", "queues/" + queue);
    }
    ListLoansResponse.Builder response = ListLoansResponse.newBuilder();
    for (QueueView.LoanView loan : copy.view(queue).loans()) {
      Loan.Builder entry =
          Loan.newBuilder()
              .setLender(loan.lender())
              .setBorrower(loan.borrower())
              .setUnit(loan.unit())
              .setGpus(loan.gpus())
              .setSince(Times.timestamp(loan.sinceMillis()));
      copy.wouldStop(queue, loan, nowMillis).forEach(victim -> entry.addWouldStop(victim(victim)));
      response.addLoans(entry);
    }
    return response.build();
  }

  private static io.quotashare.proto.v1.LoanVictim victim(LoanVictim victim) {
    io.quotashare.proto.v1.LoanVictim.Builder result =
        io.quotashare.proto.v1.LoanVictim.newBuilder()
            .setJob(victim.job().id())
            .setGpus(victim.gpus())
            .setLostDeviceSeconds(victim.lostDeviceMillis() / 1000.0);
    victim
        .checkpointStateMillis()
        .ifPresent(at -> result.setCheckpointStateTime(Times.timestamp(at)));
    return result.build();
  }
}
