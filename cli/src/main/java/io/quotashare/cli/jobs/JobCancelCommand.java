package io.quotashare.cli.jobs;

import io.quotashare.cli.Confirmation;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.UsageException;
import io.quotashare.client.CancelOptions;
import io.quotashare.client.CancelResult;
import io.quotashare.client.JobFilter;
import io.quotashare.client.JobState;
import io.quotashare.client.ResourceNames;
import io.quotashare.client.internal.Blocking;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code quotashare job cancel}. */
@Command(
    name = "cancel",
    description = {
      "Cancel jobs: at once if they wait, by asking them to stop if they run.",
      "Either the jobs that are named, or all jobs of one queue that a filter selects; these are"
          + " counted first, and the count is to be confirmed."
    },
    exitCodeList = "1:The question was answered with no; nothing was cancelled.",
    footer = {
      "  quotashare job cancel j-1 j-2 --reason \"wrong data\"",
      "  quotashare job cancel --share background --state RUNNABLE",
      "  quotashare job cancel --label sweep=7 --yes",
      "  quotashare job cancel --queue research --all"
    })
final class JobCancelCommand extends SessionCommand {
  private static final int SHOWN = 3;

  @Parameters(
      arity = "0..*",
      paramLabel = "JOB",
      description = "ID, QUEUE/ID or queues/QUEUE/jobs/ID.")
  private List<String> jobs = new ArrayList<>();

  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description =
          "Their queue. Default: QUOTASHARE_QUEUE, else the context's, else the only one.")
  private @Nullable String queue;

  @Option(names = "--share", paramLabel = "SHARE", description = "All jobs of this share.")
  private String share = "";

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      completionCandidates = StateNames.class,
      converter = StateNames.class,
      description = "All jobs in these states, comma-separated, none of them an end.")
  private List<JobState> states = new ArrayList<>();

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "All jobs with this label; may be given several times.")
  private Map<String, String> labels = new TreeMap<>();

  @Option(names = "--all", description = "Every job of the queue.")
  private boolean all;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Recorded with the job, up to 512 characters. Default: none.")
  private String reason = "";

  @Mixin private Confirmation confirmation = new Confirmation();

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Override
  protected int run(Session session) throws IOException {
    boolean filtered = !share.isEmpty() || !states.isEmpty() || !labels.isEmpty();
    if (jobs.isEmpty() == !(filtered || all)) {
      throw new UsageException(
          jobs.isEmpty()
              ? "no job is named: expected JOB, or --share, --state, --label or --all"
              : "JOB stands together with --share, --state, --label or --all: expected one of the"
                  + " two");
    }
    if (all && filtered) {
      throw new UsageException(
          "--all stands together with --share, --state or --label: expected one of the two");
    }
    return jobs.isEmpty() ? cancelSelected(session) : cancelNamed(session);
  }

  private int cancelNamed(Session session) {
    return EachJob.change(
        session,
        jobs,
        queue,
        requestId,
        (handle, id) -> Blocking.get(handle.cancelAsync(reason, id)),
        job -> told(job.state()));
  }

  private int cancelSelected(Session session) throws IOException {
    String of = session.queue(queue);
    JobFilter filter = new JobFilter(of, new TreeSet<>(states), share, labels);
    CancelOptions options = new CancelOptions(reason, all, requestId.get());
    CancelResult selected = session.client().jobs().checkCancelAll(filter, options);
    int count = selected.jobs().size() + selected.remaining();
    if (count == 0) {
      session.note("no job of queue " + of + " is selected; nothing was cancelled");
      return ExitCode.OK;
    }
    String question = "this cancels " + count(count) + " of queue " + of + ": " + some(selected);
    if (!confirmation.given(session, question)) {
      session.note("nothing was cancelled");
      return ExitCode.NOT_SO;
    }
    CancelResult done = session.client().jobs().cancelAll(filter, options);
    session.note(
        count(done.jobs().size())
            + " cancelled: those that wait at once, those that run are asked"
            + " to stop");
    return ExitCode.OK;
  }

  private static String count(int jobs) {
    return jobs == 1 ? "1 job" : jobs + " jobs";
  }

  /** The oldest, and how many more: always as many as the count says. */
  private static String some(CancelResult selected) {
    List<String> first = selected.jobs().subList(0, Math.min(SHOWN, selected.jobs().size()));
    int more = selected.jobs().size() + selected.remaining() - first.size();
    return first.stream().map(ResourceNames::lastId).collect(Collectors.joining(", "))
        + (more == 0 ? "" : " and " + more + " more");
  }

  private static String told(JobState state) {
    if (state == JobState.CANCELLED) {
      return "is cancelled";
    }
    return state.isTerminal()
        ? "had ended already (" + state + ")"
        : "is asked to stop (" + state + ")";
  }
}
