package io.quotashare.cli.demo;

import static io.quotashare.cli.demo.ThreeTeams.BACKGROUND;
import static io.quotashare.cli.demo.ThreeTeams.GPUS;
import static io.quotashare.cli.demo.ThreeTeams.HIGH;
import static io.quotashare.cli.demo.ThreeTeams.LOW;
import static io.quotashare.cli.demo.ThreeTeams.MED;
import static io.quotashare.cli.demo.ThreeTeams.OWNER;
import static io.quotashare.cli.demo.ThreeTeams.RAISED_PRIORITY;
import static io.quotashare.cli.demo.ThreeTeams.SERVING;
import static io.quotashare.cli.demo.ThreeTeams.VISION;

import io.quotashare.cli.output.Times;
import io.quotashare.cli.shares.Ledger;
import io.quotashare.client.Attempt;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.PreemptionCause;
import io.quotashare.client.ShareDeviceSeconds;
import io.quotashare.client.UsageReport;
import io.quotashare.client.Waiting;
import io.quotashare.client.WaitingReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Judges the three-team sequence by nothing but the scheduler's event stream and its ledger: what
 * the demo asked for, and what it printed, is not looked at.
 */
final class Verdict {
  private static final double SAME_GPU_SECONDS = 0.01;

  private final Story story;
  private final UsageReport report;
  private final int ownerComes;
  private final int lowIsRaised;
  private final List<Expectation> expectations = new ArrayList<>();

  private Verdict(List<JobEvent> events, UsageReport report) {
    this.story = new Story(events);
    this.report = report;
    this.ownerComes = story.first(OWNER, JobEventType.SUBMITTED);
    this.lowIsRaised =
        story.first(LOW, JobEventType.PRIORITY, event -> event.job().priority() == RAISED_PRIORITY);
  }

  /** Every expectation, in the order of the sequence. */
  static List<Expectation> judge(List<JobEvent> events, UsageReport report) {
    Verdict verdict = new Verdict(events, report);
    verdict.threeJobsAreSubmitted();
    verdict.theOwnerComes();
    verdict.lowIsRaised();
    verdict.highGoesOn();
    verdict.always();
    verdict.ledger();
    return List.copyOf(verdict.expectations);
  }

  private void threeJobsAreSubmitted() {
    started(HIGH, "high runs on background's own GPU", 1, 0, 0, ownerComes);
    started(MED, "med runs on the GPU that vision lends", 0, 1, 0, ownerComes);
    Optional<JobEvent> waits =
        story.between(0, ownerComes, JobEventType.WAITING).stream()
            .filter(event -> event.job().id().equals(LOW))
            .reduce((older, newer) -> newer);
    Waiting waiting = waits.map(event -> event.job().waiting()).orElse(null);
    int lowStarts = story.first(LOW, JobEventType.STARTED);
    expect(
        "low waits, since what is idle is withheld: NOTHING_TO_BORROW",
        waiting != null
            && waiting.reason() == WaitingReason.NOTHING_TO_BORROW
            && lowStarts > lowIsRaised,
        "low " + (waiting == null ? "never said why it waits" : "waited: " + waiting.reason()));
  }

  private void theOwnerComes() {
    stoppedForNobodyElse(
        "vision's job gets its GPU back from med, and stops nobody else",
        ownerComes,
        lowIsRaised,
        MED,
        PreemptionCause.RECLAIM,
        OWNER);
    saved(MED);
    started(
        OWNER,
        "owner starts on vision's own GPU, once med has left it",
        1,
        0,
        story.first(MED, JobEventType.STOPPED),
        lowIsRaised);
  }

  private void lowIsRaised() {
    stoppedForNobodyElse(
        "low, raised to priority 4, stops high in its share, and nobody else",
        lowIsRaised,
        Story.NEVER,
        HIGH,
        PreemptionCause.IN_SHARE,
        LOW);
    saved(HIGH);
    int stopped = story.first(HIGH, JobEventType.STOPPED);
    int started = story.first(LOW, JobEventType.STARTED);
    expect(
        "low starts once high has left its GPU",
        stopped != Story.NEVER && started != Story.NEVER && started > stopped,
        started == Story.NEVER ? "low never started" : "it started before high had stopped");
  }

  private void highGoesOn() {
    Long saved =
        story
            .at(story.first(HIGH, JobEventType.STOPPED))
            .map(event -> event.job().latestAttempt())
            .map(Attempt::checkpointStep)
            .orElse(null);
    Long resumed =
        story.of(HIGH).stream()
            .map(event -> event.job().latestAttempt())
            .filter(attempt -> attempt != null && attempt.number() == 2 && attempt.step() != null)
            .findFirst()
            .map(Attempt::step)
            .orElse(null);
    expect(
        "high goes on at its checkpoint, step " + saved + ", not at 0",
        saved != null && saved > 0 && resumed != null && resumed >= saved,
        resumed == null
            ? "its second attempt reported no step"
            : "its second attempt began at step " + resumed);
  }

  private void always() {
    List<JobEvent> stops = story.all(JobEventType.PREEMPTING);
    expect(
        "two jobs were stopped in all, each once: no ping-pong",
        stops.size() == 2,
        "stopped: " + Story.jobs(stops));
    int most = story.mostHeld();
    expect(
        "serving's GPU stayed its own, idle as it was",
        most > 0 && most < GPUS && story.of(SERVING).isEmpty(),
        most + " of " + GPUS + " GPUs were held at one time");
  }

  private void ledger() {
    expect("the ledger adds up: " + Ledger.sumLine(report), Ledger.addsUp(report), "it does not");
    double borrowed = of(BACKGROUND, ShareDeviceSeconds::borrowed);
    double lent = of(VISION, ShareDeviceSeconds::lent);
    expect(
        "what background borrowed is what vision lent: " + Times.oneDigit(borrowed) + " GPU-s",
        borrowed > 0 && Math.abs(borrowed - lent) <= SAME_GPU_SECONDS,
        "vision lent " + Times.oneDigit(lent) + " GPU-s");
    double servingLent = of(SERVING, ShareDeviceSeconds::lent);
    expect(
        "serving lent nothing",
        servingLent == 0 && of(SERVING, ShareDeviceSeconds::idle) > 0,
        "it lent " + Times.oneDigit(servingLent) + " GPU-s");
    expect(
        "no preemption was futile",
        report.futilePreemptions() == 0,
        report.futilePreemptions() + " were");
  }

  /** The job started in this span, on so many own and so many borrowed devices. */
  private void started(String job, String text, int own, int borrowed, int after, int before) {
    int place = story.first(job, JobEventType.STARTED);
    Optional<JobEvent> event = story.at(place);
    boolean inTime = after != Story.NEVER && place >= after && place < before;
    expect(
        text,
        inTime
            && event.isPresent()
            && event.get().ownDevices() == own
            && event.get().borrowedDevices() == borrowed,
        event
            .map(
                e ->
                    (inTime ? "it started with " : "it started at another time, with ")
                        + e.ownDevices()
                        + " own, "
                        + e.borrowedDevices()
                        + " borrowed")
            .orElse(job + " never started"));
  }

  private void stoppedForNobodyElse(
      String text, int from, int to, String victim, PreemptionCause cause, String beneficiary) {
    List<JobEvent> stops =
        from == Story.NEVER ? List.of() : story.between(from, to, JobEventType.PREEMPTING);
    Attempt attempt = stops.size() == 1 ? stops.get(0).job().latestAttempt() : null;
    expect(
        text,
        attempt != null
            && stops.get(0).job().id().equals(victim)
            && attempt.preemptionCause() == cause
            && attempt.beneficiaryJob().equals(beneficiary),
        "stopped: "
            + Story.jobs(stops)
            + (attempt == null
                ? ""
                : " (" + attempt.preemptionCause() + " for " + attempt.beneficiaryJob() + ")"));
  }

  /** The job confirmed a checkpoint before it had stopped, and waits again. */
  private void saved(String job) {
    int stopped = story.first(job, JobEventType.STOPPED);
    int saved = story.first(job, JobEventType.CHECKPOINTED);
    int again = story.first(job, JobEventType.RUNNABLE);
    expect(
        job + " saves its work before it stops, and waits again",
        saved < stopped && stopped != Story.NEVER && again != Story.NEVER,
        saved < stopped ? "it does not wait again" : "it stopped without a checkpoint");
  }

  private double of(String share, ToDoubleFunction<ShareDeviceSeconds> part) {
    return report.shares().stream()
        .filter(line -> line.share().equals(share))
        .mapToDouble(part)
        .sum();
  }

  private void expect(String text, boolean holds, String found) {
    expectations.add(new Expectation(text, holds, found));
  }
}
