package io.quotashare.server.jobs;

import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.JobKey;
import io.quotashare.proto.v1.ListAttemptsRequest;
import io.quotashare.proto.v1.ListAttemptsResponse;
import io.quotashare.server.grpc.Errors;
import io.quotashare.server.grpc.Names;
import io.quotashare.server.grpc.Pages;
import io.quotashare.server.store.StateStore;
import io.quotashare.server.view.Snapshot;
import java.util.List;

/** Lists the attempts of a job, page by page. */
final class AttemptLister {
  private static final int DEFAULT_PAGE_SIZE = 100;

  private AttemptLister() {}

  static ListAttemptsResponse list(
      ListAttemptsRequest request, Snapshot snapshot, StateStore store) {
    JobKey job = Names.job("parent", request.getParent());
    snapshot.requireJob(job);
    ListAttemptsRequest list = request.toBuilder().clearPageSize().clearPageToken().build();
    int size = Pages.size(request.getPageSize(), DEFAULT_PAGE_SIZE);
    int after = number(Pages.after(list, request.getPageToken()));
    List<Attempt> rest =
        store.attempts(job).stream().filter(a -> a.key().number() > after).toList();
    ListAttemptsResponse.Builder page = ListAttemptsResponse.newBuilder();
    rest.stream().limit(size).map(AttemptWriter::attempt).forEach(page::addAttempts);
    if (rest.size() > size) {
      int last = rest.get(size - 1).key().number();
      page.setNextPageToken(Pages.token(list, Integer.toString(last)));
    }
    return page.build();
  }

  private static int number(String after) {
    try {
      return after.isEmpty() ? 0 : Integer.parseInt(after);
    } catch (NumberFormatException e) {
      throw Errors.invalid(
          "page_token", "malformed (expected: next_page_token of an earlier page)");
    }
  }
}
