package io.quotashare.cli.jobs;

import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.SpeaksInFlags;
import io.quotashare.cli.output.Format;
import io.quotashare.client.Job;
import io.quotashare.client.JobHandle;
import io.quotashare.client.JobSpec;
import io.quotashare.client.SubmitOptions;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code quotashare submit}. */
@Command(
    name = "submit",
    description = "Submit a job and print its id.",
    exitCodeList = {
      "0:Accepted; with --wait: the job succeeded.",
      "1:With --wait: the job failed or was cancelled."
    },
    footer = {
      "  quotashare submit --share background --gpus 1 -- python3 train.py --epochs 10",
      "  quotashare submit --share vision --nodes 2 --gpus-per-node 8 --priority 50 \\",
      "      --checkpoint-every 10m --on-demand-checkpoint --wait -- torchrun train.py",
      "  quotashare submit -f job.yaml --priority 7",
      "  id=$(quotashare submit --share background --gpus 1 -- sleep 60)"
    })
public final class SubmitCommand extends SessionCommand implements SpeaksInFlags {
  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Job as YAML or JSON, with keys like the flags (gpusPerNode, ...); flags win.")
  private @Nullable Path file;

  @Mixin private JobFlags flags = new JobFlags();

  @Option(
      names = "--request-id",
      paramLabel = "UUID",
      description = "A repeat with the same UUID returns the first job instead of a second.")
  private @Nullable UUID requestId;

  @Option(names = "--dry-run", description = "Only check, and say what would be accepted.")
  private boolean dryRun;

  @Option(names = "--wait", description = "Follow the state until the job has ended.")
  private boolean wait;

  @Option(names = "--logs", description = "Print its output too, of every attempt; implies --wait.")
  private boolean logs;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "name",
      description = "name: the id alone (default); json, yaml: the job; table, wide: for people.")
  private Format format = Format.name;

  @Override
  protected int run(Session session) throws Exception {
    if (file != null) {
      JobFile.fill(flags, file);
    }
    if (flags.share == null) {
      flags.share = session.settings().share().orElse(null);
    }
    JobSpec spec = flags.toSpec(flags.share == null ? "" : session.queue(flags.queue));
    SubmitOptions options = new SubmitOptions(flags.id, requestId);
    if (dryRun) {
      return check(session, spec, options);
    }
    JobHandle handle = session.client().jobs().submit(spec, options);
    if (format == Format.name) {
      session.out().println(handle.id());
    } else {
      print(session, handle.get());
    }
    session.out().flush();
    return wait || logs ? new JobFollower(session, handle, logs).follow() : ExitCode.OK;
  }

  private int check(Session session, JobSpec spec, SubmitOptions options) {
    Job job = session.client().jobs().validate(spec, options);
    if (format != Format.name) {
      print(session, job);
    }
    String why = JobTexts.why(job);
    session.note(
        "would be accepted: "
            + job.totalGpus()
            + (job.totalGpus() == 1 ? " GPU" : " GPUs")
            + " in share "
            + job.share()
            + (why.isEmpty() ? "" : "; it would wait: " + why));
    return ExitCode.OK;
  }

  /** What a file says is told in the words of the file. */
  @Override
  public String inFlags(String message) {
    return file == null ? FlagNames.in(message) : message;
  }

  private void print(Session session, Job job) {
    session
        .printer()
        .one(
            format,
            JobTexts.jobs(session.now()),
            job,
            out -> new JobSheet(session.style(), session.now()).write(out, job));
  }
}
