package io.quotashare.cli.demo;

import io.quotashare.cli.AsksNoScheduler;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.UsageException;
import io.quotashare.cli.output.Style;
import io.quotashare.cli.output.Tone;
import io.quotashare.cli.policy.PolicyParser;
import io.quotashare.cli.shares.Ledger;
import io.quotashare.client.JobEvent;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.UsageReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code quotashare demo}. */
@Command(
    name = "demo",
    description = {
      "Play the three-team example on real processes of this machine: one scheduler, three agents,"
          + " four trainings. Takes under a minute.",
      "What happened is judged by the scheduler's event stream and its ledger."
    },
    exitCodeList = {
      "0:What happened is what should happen.",
      "1:It is not, or could not be played."
    },
    footer = {
      "  quotashare demo",
      "  quotashare demo --variant lend-and-borrow",
      "  quotashare demo --keep"
    })
public final class DemoCommand extends SessionCommand implements AsksNoScheduler {
  @Option(
      names = "--variant",
      paramLabel = "VARIANT",
      defaultValue = "lend",
      description = "lend or lend-and-borrow: what vision does. Default: ${DEFAULT-VALUE}.")
  private Variant variant = Variant.LEND;

  @Option(
      names = "--keep",
      description = "Leave everything running, and print commands to try next.")
  private boolean keep;

  @Option(
      names = "--stop",
      paramLabel = "FOLDER",
      description = "Stop what an earlier demo left running in this folder.")
  private @Nullable Path stop;

  @Option(
      names = "--events",
      paramLabel = "FILE",
      description = "Also write every event to this file, one JSON object a line.")
  private @Nullable Path eventsFile;

  private volatile boolean kept;

  @Override
  protected int run(Session session) throws Exception {
    if (stop != null) {
      return stop(session, stop.toAbsolutePath().normalize());
    }
    DemoHome home = DemoHome.find(session.outside().variables());
    Cluster cluster = Cluster.inFreshFolder(home, session.outside(), session::note);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> onExit(session, cluster), "quotashare-demo-end"));
    try {
      return play(session, home, cluster) ? ExitCode.OK : ExitCode.NOT_SO;
    } catch (DemoException | QuotaShareException e) {
      if (!cluster.isClosing()) {
        session.note("the demo cannot go on: " + e.getMessage());
      }
      cluster.close();
      return ExitCode.NOT_SO;
    }
  }

  /**
   * Ctrl-C comes here while the sequence is played; a demo that is done has nothing left to end.
   */
  private void onExit(Session session, Cluster cluster) {
    if (!kept && !cluster.isClosing()) {
      session.note("stopping: jobs first, then agents and scheduler");
    }
    if (!kept) {
      cluster.close();
    }
  }

  private boolean play(Session session, DemoHome home, Cluster cluster)
      throws InterruptedException, IOException {
    PrintWriter out = session.out();
    Style style = session.style();
    out.println(style.paint(Tone.STRONG, "Three teams share three GPUs (variant " + variant + ")"));
    out.println("starting one scheduler and three agents, on loopback, in " + cluster.folder());
    out.println(
        style.paint(
            Tone.WAIT,
            "The GPUs are a stand-in: " + home.nvmlStub() + " answers instead of NVML."));
    out.flush();
    cluster.start();
    out.println("scheduler at " + cluster.scheduler() + "; nodes n1, n2, n3 offer one H100 each");
    QuotaShareClient client = cluster.client();
    Path policy = home.policy(variant);
    client.shares().applyPolicy(PolicyParser.parse(policy).queues());
    out.println("applied " + policy);
    TimelinePrinter timeline = new TimelinePrinter(out, style, session.outside().clock());
    List<JobEvent> events = new Script(client, home.training(), timeline).play();
    UsageReport report = client.queues().usageReport(ThreeTeams.QUEUE);
    if (eventsFile != null) {
      EventFile.write(eventsFile, events, report);
    }
    out.println();
    out.println(style.paint(Tone.STRONG, "Where every GPU-second went"));
    new Ledger(style).write(out, report);
    out.flush();
    if (keep) {
      kept = true;
      next(out, style, cluster);
    } else {
      cluster.close();
    }
    return verdict(out, style, Verdict.judge(events, report));
  }

  private boolean verdict(PrintWriter out, Style style, List<Expectation> expectations) {
    out.println();
    out.println(
        style.paint(Tone.STRONG, "Verdict, from the scheduler's event stream and its ledger"));
    for (Expectation expectation : expectations) {
      String mark =
          expectation.holds() ? style.paint(Tone.GOOD, "✓ ") : style.paint(Tone.BAD, "✗ ");
      String instead = expectation.holds() ? "" : " (instead: " + expectation.found() + ")";
      out.println(mark + expectation.text() + instead);
    }
    long wrong = expectations.stream().filter(e -> !e.holds()).count();
    out.println();
    out.println(
        wrong == 0
            ? style.paint(
                Tone.GOOD,
                "The sequence is right: all " + expectations.size() + " expectations hold.")
            : style.paint(
                Tone.BAD,
                "The sequence is wrong: "
                    + wrong
                    + " of "
                    + expectations.size()
                    + " expectations do not hold."));
    out.flush();
    return wrong == 0;
  }

  private static void next(PrintWriter out, Style style, Cluster cluster) {
    String command = "./quotashare --scheduler " + cluster.scheduler() + " ";
    out.println();
    out.println(style.paint(Tone.STRONG, "Everything goes on running. Try next:"));
    out.println("  " + command + "shares");
    out.println("  " + command + "jobs -o wide");
    out.println("  " + command + "job explain med");
    out.println("  " + command + "job logs high --attempt 1");
    out.println("  " + command + "job priority med 9");
    out.println("  " + command + "preemptions");
    out.println(
        "  ./quotashare --scheduler "
            + cluster.scheduler()
            + " --admin "
            + cluster.admin()
            + " node drain n1");
    out.println("and in the end:");
    out.println("  ./quotashare demo --stop " + cluster.folder());
  }

  private static int stop(Session session, Path folder) throws IOException, InterruptedException {
    Path note = folder.resolve(Cluster.ADDRESS_FILE);
    if (!Files.isRegularFile(note)) {
      throw new UsageException(
          "--stop: " + folder + " is not the folder of a demo, it has no " + Cluster.ADDRESS_FILE);
    }
    try (QuotaShareClient client = QuotaShareClient.connect(Files.readString(note).strip())) {
      Cluster.stopKept(client, folder, session.outside());
    }
    session.note("nothing is left running");
    return ExitCode.OK;
  }
}
