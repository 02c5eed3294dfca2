package io.quotashare.server.shares;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import io.quotashare.proto.v1.GetQuotaShareRequest;
import io.quotashare.proto.v1.ListLoansRequest;
import io.quotashare.proto.v1.ListQuotaSharesRequest;
import io.quotashare.proto.v1.ListQuotaSharesResponse;
import io.quotashare.proto.v1.QuotaShareStatus;
import io.quotashare.proto.v1.ShareUsage;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QuotaShareEndpointTest {
  private TestServer server;
  private FakeAgent agent;

  @BeforeEach
  void start() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    agent = new FakeAgent(server, "n1", 3).join();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void usageAddsUp() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "borrower", 2).build()));
    server.answer(server.jobs().submitJob(Policies.submit("b", "borrower", 2).build()));

    ShareUsage borrower = share("borrower").getUsage(0);
    ShareUsage lender = share("lender").getUsage(0);

    assertThat(borrower.getLimit()).isEqualTo(1);
    assertThat(borrower.getUsed()).isEqualTo(2);
    assertThat(borrower.getOwn()).isEqualTo(1);
    assertThat(borrower.getBorrowed()).isEqualTo(1);
    assertThat(borrower.getWaitingJobs()).isEqualTo(1);
    assertThat(borrower.getWaitingGpus()).isEqualTo(2);
    assertThat(lender.getLent()).isEqualTo(1);
    assertThat(lender.getLimit()).isEqualTo(lender.getOwn() + lender.getLent() + lender.getIdle());
  }

  @Test
  void preemptionsOfTheLastDayAreCounted() {
    server.answer(server.jobs().submitJob(Policies.submit("a", "borrower", 3).build()));
    String attempt = "queues/research/jobs/a/attempts/1";
    agent.run(attempt);
    server.advance(5_000);
    agent.heartbeat();
    server.answer(server.jobs().submitJob(Policies.submit("b", "lender", 2).build()));
    agent.stopped(attempt);

    assertThat(share("borrower").getPreempted24H()).isEqualTo(1);
    assertThat(share("borrower").getLostDeviceHours24H()).isPositive();
    assertThat(share("lender").getPreempted24H()).isZero();
  }

  @Test
  void sharesComePageByPage() {
    ListQuotaSharesRequest.Builder request =
        ListQuotaSharesRequest.newBuilder().setParent("queues/-").setPageSize(1);
    ListQuotaSharesResponse first = server.answer(server.shares().listQuotaShares(request.build()));
    ListQuotaSharesResponse second =
        server.answer(
            server
                .shares()
                .listQuotaShares(request.setPageToken(first.getNextPageToken()).build()));

    assertThat(first.getShares(0).getShare().getName())
        .isEqualTo("queues/research/shares/borrower");
    assertThat(second.getShares(0).getShare().getName()).isEqualTo("queues/research/shares/lender");
    assertThat(second.getNextPageToken()).isEmpty();
  }

  @Test
  void whatDoesNotExistIsNotFound() {
    assertThat(
            server
                .error(
                    server
                        .shares()
                        .getQuotaShare(
                            GetQuotaShareRequest.newBuilder()
                                .setName("queues/research/shares/x")
                                .build()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(
            server
                .error(
                    server
                        .shares()
                        .listLoans(ListLoansRequest.newBuilder().setParent("queues/x").build()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
    assertThat(
            server
                .error(
                    server
                        .shares()
                        .listQuotaShares(
                            ListQuotaSharesRequest.newBuilder().setParent("queues/x").build()))
                .getStatus()
                .getCode())
        .isEqualTo(Status.Code.NOT_FOUND);
  }

  @Test
  void etagChangesWithTheShare() {
    String before = share("lender").getShare().getEtag();
    var changed = Policies.lenderAndBorrower().toBuilder();
    changed.getQueuesBuilder(0).getSharesBuilder(0).putCapacity("H100", 1);
    server.answer(server.shares().applyPolicy(changed.build()));

    assertThat(share("lender").getShare().getEtag()).isNotEqualTo(before);
  }

  private QuotaShareStatus share(String id) {
    return server
        .answer(
            server
                .shares()
                .getQuotaShare(
                    GetQuotaShareRequest.newBuilder()
                        .setName("queues/research/shares/" + id)
                        .build()))
        .getShare();
  }
}
