package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.SpeaksInFlags;
import io.quotashare.cli.UsageException;
import io.quotashare.cli.output.Format;
import io.quotashare.client.CallTimedOutException;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobPlan;
import io.quotashare.client.JobSpec;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.SchedulerUnavailableException;
import io.quotashare.client.SubmitOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare submit}. */
@Command(
    name = "submit",
    description = {
      "Submit a job and print its id.",
      "A file of several documents, divided by ---, is a batch: each job is accepted or refused for"
          + " itself; the ids of the accepted ones are printed, and every refusal is told."
    },
    exitCodeList = {
      "0:Accepted; with --wait: the job succeeded.",
      "1:With --wait: the job failed or was cancelled.",
      "4:The scheduler refused it, or at least one of a batch; the message says why and what to do."
    },
    footer = {
      "  quotashare submit --share background --gpus 1 -- python3 train.py --epochs 10",
      "  quotashare submit --share vision --nodes 2 --gpus-per-node 8 --priority 50 \\",
      "      --checkpoint-every 10m --on-demand-checkpoint --wait -- torchrun train.py",
      "  quotashare submit -f job.yaml --priority 7",
      "  quotashare submit -f sweep.yaml --dry-run",
      "  id=$(quotashare submit --share background --gpus 1 -- sleep 60)"
    })
public final class SubmitCommand extends SessionCommand implements SpeaksInFlags {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description =
          "Job as YAML or JSON, with keys like the flags (gpusPerNode, ...), or up to 1000 of them;"
              + " flags win.")
  private @Nullable Path file;

  @Mixin private JobFlags flags = new JobFlags();

  @Mixin private RequestIdOption requestId = new RequestIdOption();

  @Option(
      names = "--dry-run",
      description =
          "Submit nothing, and say what would happen now: where it would start, who would be"
              + " stopped for it, or why it would wait.")
  private boolean dryRun;

  @Option(names = "--wait", description = "Follow the state until the job has ended.")
  private boolean wait;

  @Option(names = "--logs", description = "Print its output too, of every attempt; implies --wait.")
  private boolean logs;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description =
          "name: the id alone; json, yaml: the job, of --dry-run the plan; table, wide: for people."
              + " Default: name, with --dry-run table.")
  private @Nullable Format format;

  @Override
  protected int run(Session session) throws Exception {
    List<JobFlags> jobs = file == null ? List.of(flags) : JobFile.read(flags, file);
    if (jobs.size() > 1) {
      refuseWhatIsForOne(jobs.size());
    }
    List<JobSpec> specs = new ArrayList<>();
    for (JobFlags job : jobs) {
      specs.add(spec(session, job));
    }
    if (dryRun) {
      return plan(session, specs);
    }
    if (jobs.size() > 1) {
      return new Batch(session, String.valueOf(file), jobs, specs, requestId)
          .submit(format == null ? Format.name : format);
    }
    JobHandle handle =
        session
            .client()
            .jobs()
            .submit(specs.get(0), new SubmitOptions(jobs.get(0).id, requestId.get()));
    if (format == null || format == Format.name) {
      session.out().println(handle.id());
    } else {
      print(session, format, handle.get());
    }
    session.out().flush();
    return wait || logs ? new JobFollower(session, handle, logs).follow() : ExitCode.OK;
  }

  private static JobSpec spec(Session session, JobFlags job) {
    if (job.share == null) {
      job.share = session.settings().share().orElse(null);
    }
    return job.toSpec(job.share == null ? "" : session.queue(job.queue));
  }

  private void refuseWhatIsForOne(int count) {
    String found = flags.id != null ? "--id" : wait ? "--wait" : logs ? "--logs" : "";
    if (!found.isEmpty()) {
      throw new UsageException(
          found
              + ": the file "
              + file
              + " has "
              + count
              + " jobs, expected one"
              + (flags.id != null
                  ? "; put id into each document"
                  : "; follow them with quotashare jobs --watch"));
    }
  }

  private int plan(Session session, List<JobSpec> specs) {
    Format wanted = format == null ? Format.table : format;
    int code = ExitCode.OK;
    if (specs.size() == 1) {
      JobPlan plan = session.client().jobs().plan(specs.get(0));
      session
          .printer()
          .one(wanted, PlanPrinter.PLANS, plan, out -> PlanPrinter.write(session, out, plan));
    } else {
      code = planEach(session, specs, wanted);
    }
    session.out().flush();
    session.note("this was a dry run: nothing was submitted");
    return code;
  }

  /** As with a batch that is submitted, one that is refused keeps the others not out. */
  private int planEach(Session session, List<JobSpec> specs, Format wanted) {
    List<JobPlan> plans = new ArrayList<>();
    int worst = ExitCode.OK;
    for (int i = 0; i < specs.size(); i++) {
      String document = "document " + (i + 1);
      try {
        JobPlan plan = session.client().jobs().plan(specs.get(i));
        plans.add(plan);
        if (wanted.isForPeople()) {
          session.out().println(document + ":");
          PlanPrinter.write(session, session.out(), plan);
        }
      } catch (SchedulerUnavailableException | CallTimedOutException e) {
        throw e;
      } catch (QuotaShareException e) {
        session.out().flush();
        worst = Math.max(worst, session.refused(file + ": " + document, e));
      }
    }
    if (!wanted.isForPeople()) {
      session.printer().list(wanted, PlanPrinter.PLANS, plans);
    }
    return worst;
  }

  /** What a file says is told in the words of the file. */
  @Override
  public String inFlags(String message) {
    return file == null ? FlagNames.in(message) : message;
  }

  private static void print(Session session, Format format, Job job) {
    session
        .printer()
        .one(
            format,
            JobTexts.jobs(session.now()),
            job,
            out -> new JobSheet(session.style(), session.now()).write(out, job));
  }
}
