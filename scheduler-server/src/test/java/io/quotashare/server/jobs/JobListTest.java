package io.quotashare.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusRuntimeException;
import io.quotashare.proto.v1.CancelJobRequest;
import io.quotashare.proto.v1.Job;
import io.quotashare.proto.v1.JobOrder;
import io.quotashare.proto.v1.JobState;
import io.quotashare.proto.v1.ListJobsRequest;
import io.quotashare.proto.v1.ListJobsResponse;
import io.quotashare.proto.v1.SubmitJobRequest;
import io.quotashare.server.ErrorInfos;
import io.quotashare.server.FakeAgent;
import io.quotashare.server.ManyJobs;
import io.quotashare.server.Policies;
import io.quotashare.server.TestServer;
import io.quotashare.server.config.ServerConfig;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** ListJobs over many jobs: every order, any filter, and what a page costs. */
class JobListTest {
  private static final int MANY = 100_000;

  private TestServer server;

  @AfterEach
  void stop() {
    server.close();
  }

  /** Pages of a list, and what each has cost. */
  private List<JobLister.Listed> pages(ListJobsRequest.Builder request) {
    List<JobLister.Listed> pages = new ArrayList<>();
    String token = "";
    do {
      ListJobsRequest next = request.setPageToken(token).build();
      JobLister.Listed page = JobLister.listed(next, server.readModel().current(), server.store());
      pages.add(page);
      token = page.page().getNextPageToken();
    } while (!token.isEmpty());
    return pages;
  }

  private static List<String> names(List<JobLister.Listed> pages) {
    return pages.stream()
        .flatMap(page -> page.page().getJobsList().stream())
        .map(Job::getName)
        .toList();
  }

  private static List<Integer> costs(List<JobLister.Listed> pages) {
    return pages.stream().map(JobLister.Listed::looked).toList();
  }

  private static ListJobsRequest.Builder all(JobOrder order) {
    return ListJobsRequest.newBuilder()
        .setParent("queues/research")
        .setOrder(order)
        .setPageSize(1_000);
  }

  @Test
  void everyPageOfAHundredThousandJobsCostsTheSame() {
    server = ManyJobs.start(ServerConfig.builder(), MANY, 20);
    List<String> submitted = IntStream.range(0, MANY).mapToObj(ManyJobs::name).toList();
    List<String> newestFirst = new ArrayList<>(submitted);
    Collections.reverse(newestFirst);
    List<String> byId = submitted.stream().sorted().toList();

    for (JobOrder order :
        List.of(
            JobOrder.JOB_ORDER_UNSPECIFIED,
            JobOrder.JOB_ORDER_NEWEST_FIRST,
            JobOrder.JOB_ORDER_OLDEST_FIRST)) {
      List<JobLister.Listed> pages = pages(all(order));

      assertThat(names(pages))
          .isEqualTo(
              switch (order) {
                case JOB_ORDER_NEWEST_FIRST -> newestFirst;
                case JOB_ORDER_OLDEST_FIRST -> submitted;
                default -> byId;
              });
      assertThat(pages).hasSize(MANY / 1_000);
      // Up to one more than the page of each kind, and the rows of those that have not ended.
      assertThat(costs(pages)).allMatch(looked -> looked <= 3 * 1_001);
    }
    judgeFilters();
  }

  private void judgeFilters() {
    List<JobLister.Listed> rare =
        pages(all(JobOrder.JOB_ORDER_OLDEST_FIRST).putLabels("rare", "yes"));
    assertThat(names(rare))
        .isEqualTo(
            IntStream.iterate(0, i -> i < MANY, i -> i + 1_000).mapToObj(ManyJobs::name).toList());
    assertThat(costs(rare)).allMatch(looked -> looked <= 2 * JobLister.MAX_LOOKED);
    assertThat(rare.size()).isLessThanOrEqualTo(2 + MANY / 5_000);

    List<JobLister.Listed> waiting =
        pages(
            all(JobOrder.JOB_ORDER_ID)
                .addStates(JobState.JOB_STATE_SUBMITTED)
                .addStates(JobState.JOB_STATE_RUNNABLE));
    assertThat(names(waiting)).hasSize(MANY / 20).isSorted();
    assertThat(costs(waiting)).allMatch(looked -> looked <= 1_001);
    List<JobLister.Listed> over =
        pages(
            all(JobOrder.JOB_ORDER_NEWEST_FIRST)
                .setParent("queues/-")
                .addStates(JobState.JOB_STATE_SUCCEEDED));
    assertThat(names(over)).hasSize(MANY - MANY / 20).doesNotHaveDuplicates();
    assertThat(names(pages(all(JobOrder.JOB_ORDER_ID).setShare("borrower")))).isEmpty();
  }

  @Test
  void jobsThatEndMeanwhileAreNeitherSkippedNorRepeated() {
    server = ManyJobs.start(ServerConfig.builder(), 300, 2);
    List<String> seen = new ArrayList<>();
    ListJobsRequest.Builder request = all(JobOrder.JOB_ORDER_OLDEST_FIRST).setPageSize(20);
    for (int page = 0; ; page++) {
      ListJobsResponse response = server.answer(server.jobs().listJobs(request.build()));
      response.getJobsList().forEach(job -> seen.add(job.getName()));
      if (response.getNextPageToken().isEmpty()) {
        break;
      }
      request.setPageToken(response.getNextPageToken());
      // One that was seen, and one that is still to come.
      for (int i : new int[] {page * 20, page * 20 + 30}) {
        if (i < 300) {
          server.answer(
              server
                  .jobs()
                  .cancelJob(CancelJobRequest.newBuilder().setName(ManyJobs.name(i)).build()));
        }
      }
    }

    assertThat(seen).isEqualTo(IntStream.range(0, 300).mapToObj(ManyJobs::name).toList());
  }

  @Test
  void tokenBelongsToOrderAndFilter() {
    server = ManyJobs.start(ServerConfig.builder(), 10, 2);
    String token =
        server
            .answer(server.jobs().listJobs(all(JobOrder.JOB_ORDER_ID).setPageSize(2).build()))
            .getNextPageToken();

    assertThat(
            server
                .answer(
                    server
                        .jobs()
                        .listJobs(all(JobOrder.JOB_ORDER_UNSPECIFIED).setPageToken(token).build()))
                .getJobsList())
        .as("unspecified is the order by id")
        .hasSize(8);
    for (ListJobsRequest.Builder other :
        List.of(
            all(JobOrder.JOB_ORDER_NEWEST_FIRST),
            all(JobOrder.JOB_ORDER_ID).setShare("lender"),
            all(JobOrder.JOB_ORDER_ID).putLabels("rare", "yes"),
            all(JobOrder.JOB_ORDER_ID).addStates(JobState.JOB_STATE_RUNNABLE),
            all(JobOrder.JOB_ORDER_ID).setParent("queues/-"))) {
      StatusRuntimeException error =
          server.error(server.jobs().listJobs(other.setPageToken(token).build()));
      assertThat(ErrorInfos.fields(error)).containsExactly("page_token");
    }
  }

  @Test
  void pageOfLargeJobsEndsBeforeItIsTooLargeToSend() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    for (int i = 0; i < 12; i++) {
      SubmitJobRequest.Builder request = Policies.submit("j" + (10 + i), "lender", 1);
      for (int word = 0; word < 3; word++) {
        request.getSpecBuilder().addCommand("x".repeat(100_000));
      }
      server.answer(server.jobs().submitJob(request.build()));
    }

    List<JobLister.Listed> pages = pages(all(JobOrder.JOB_ORDER_ID));

    assertThat(names(pages)).hasSize(12).isSorted();
    assertThat(pages).hasSize(3);
    assertThat(pages)
        .extracting(page -> page.page().getSerializedSize())
        .allMatch(bytes -> bytes < 2 * JobLister.MAX_PAGE_BYTES);
  }

  @Test
  void endedJobHasItsNewestAttempt() {
    server = TestServer.create();
    server.answer(server.shares().applyPolicy(Policies.lenderAndBorrower()));
    FakeAgent agent = new FakeAgent(server, "n1", 3).join();
    server.answer(server.jobs().submitJob(Policies.submit("a", "lender", 1).build()));
    String attempt = "queues/research/jobs/a/attempts/1";
    agent.run(attempt);
    agent.finish(attempt);

    assertThat(
            server.answer(server.jobs().listJobs(all(JobOrder.JOB_ORDER_ID).build())).getJobsList())
        .singleElement()
        .satisfies(
            job -> {
              assertThat(job.getState()).isEqualTo(JobState.JOB_STATE_SUCCEEDED);
              assertThat(job.getLatestAttempt().getName()).isEqualTo(attempt);
            });
  }
}
