package io.quotashare.cli.jobs;

import io.quotashare.cli.ListCommand;
import io.quotashare.cli.Session;
import io.quotashare.cli.output.Format;
import io.quotashare.client.JobFilter;
import io.quotashare.client.JobOrder;
import io.quotashare.client.JobState;
import io.quotashare.client.ResourceNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare jobs}. */
@Command(
    name = "jobs",
    description = "List jobs: those that have not ended, or with --all every one.",
    footer = {
      "  quotashare jobs",
      "  quotashare jobs --share background --state RUNNABLE",
      "  quotashare jobs --all --label team=vision -o json",
      "  quotashare jobs --order NEWEST_FIRST --watch"
    })
public final class JobsCommand extends ListCommand {
  @Option(
      names = "--queue",
      paramLabel = "QUEUE",
      description = "Only of this queue. Default: of all.")
  private @Nullable String queue;

  @Option(names = "--share", paramLabel = "SHARE", description = "Only of this share.")
  private String share = "";

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      completionCandidates = StateNames.class,
      converter = StateNames.class,
      description = "Only in these states, comma-separated: ${COMPLETION-CANDIDATES}.")
  private List<JobState> states = new ArrayList<>();

  @Option(
      names = "--label",
      paramLabel = "KEY=VALUE",
      description = "Only with this label; may be given several times.")
  private Map<String, String> labels = new TreeMap<>();

  @Option(names = "--all", description = "Jobs that have ended, too.")
  private boolean all;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "ID",
      description =
          "${COMPLETION-CANDIDATES}: by queue and id, or by the time of submission. Default:"
              + " ${DEFAULT-VALUE}.")
  private JobOrder order = JobOrder.ID;

  @Override
  protected void show(Session session, Format format) {
    JobFilter filter =
        new JobFilter(
            queue == null ? ResourceNames.ALL_QUEUES : queue,
            new TreeSet<>(wanted()),
            share,
            labels);
    session
        .printer()
        .list(format, JobTexts.jobs(session.now()), session.client().jobs().list(filter, order));
  }

  private List<JobState> wanted() {
    if (all || !states.isEmpty()) {
      return states;
    }
    List<JobState> live = new ArrayList<>();
    for (JobState state : JobState.values()) {
      if (!state.isTerminal() && state != JobState.UNRECOGNIZED) {
        live.add(state);
      }
    }
    return live;
  }
}
