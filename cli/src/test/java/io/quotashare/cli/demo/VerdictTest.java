package io.quotashare.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotashare.client.Attempt;
import io.quotashare.client.DeviceSeconds;
import io.quotashare.client.Job;
import io.quotashare.client.JobEvent;
import io.quotashare.client.JobEventType;
import io.quotashare.client.PreemptionCause;
import io.quotashare.client.ShareDeviceSeconds;
import io.quotashare.client.UsageReport;
import io.quotashare.client.Waiting;
import io.quotashare.client.WaitingReason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On events and ledgers that real runs recorded, and on what happens if they are changed. */
class VerdictTest {
  private List<JobEvent> events = new ArrayList<>();
  private UsageReport report;

  @BeforeEach
  void read() throws IOException {
    use("lend.jsonl");
  }

  private void use(String file) throws IOException {
    Recording recording = Recording.read(file);
    events = new ArrayList<>(recording.events());
    report = recording.report();
  }

  private List<String> wrong() {
    return Verdict.judge(events, report).stream()
        .filter(e -> !e.holds())
        .map(e -> e.text() + " / " + e.found())
        .toList();
  }

  private static Predicate<JobEvent> of(String job, JobEventType type) {
    return event -> event.job().id().equals(job) && event.type() == type;
  }

  private void change(Predicate<JobEvent> which, UnaryOperator<JobEvent> how) {
    events.replaceAll(event -> which.test(event) ? how.apply(event) : event);
  }

  private void changeAttempt(Predicate<JobEvent> which, UnaryOperator<Attempt> how) {
    change(which, event -> with(event, Edits.attempt(event.job(), how)));
  }

  /** Moves the first such event to right before the first one of the other kind. */
  private void moveBefore(Predicate<JobEvent> moved, Predicate<JobEvent> target) {
    JobEvent event = events.stream().filter(moved).findFirst().orElseThrow();
    events.remove(event);
    int place = events.indexOf(events.stream().filter(target).findFirst().orElseThrow());
    events.add(place, event);
  }

  private static JobEvent with(JobEvent e, Job job) {
    return new JobEvent(
        e.revision(), e.type(), e.time(), job, e.ownDevices(), e.borrowedDevices(), e.detail());
  }

  private static JobEvent withDevices(JobEvent e, int own, int borrowed) {
    return new JobEvent(e.revision(), e.type(), e.time(), e.job(), own, borrowed, e.detail());
  }

  @ParameterizedTest
  @ValueSource(strings = {"lend.jsonl", "lend-and-borrow.jsonl"})
  void whatReallyHappenedIsRight(String file) throws IOException {
    use(file);

    assertThat(wrong()).isEmpty();
    assertThat(Verdict.judge(events, report)).hasSize(16);
  }

  @Test
  void nothingIsNotRight() {
    events.clear();

    assertThat(wrong()).hasSize(12).noneMatch(text -> text.startsWith("the ledger"));
  }

  @Test
  void highOnABorrowedDevice() {
    change(of("high", JobEventType.STARTED), event -> withDevices(event, 0, 1));

    assertThat(wrong())
        .containsExactly("high runs on background's own GPU / it started with 0 own, 1 borrowed");
  }

  @Test
  void medOnAnOwnDevice() {
    change(of("med", JobEventType.STARTED), event -> withDevices(event, 1, 0));

    assertThat(wrong())
        .containsExactly(
            "med runs on the GPU that vision lends / it started with 1 own, 0 borrowed");
  }

  @Test
  void lowOnTheReserve() {
    moveBefore(of("low", JobEventType.STARTED), of("owner", JobEventType.SUBMITTED));

    assertThat(wrong())
        .hasSize(3)
        .anyMatch(text -> text.startsWith("low waits"))
        .anyMatch(text -> text.startsWith("low starts once high has left"))
        .anyMatch(text -> text.endsWith("3 of 3 GPUs were held at one time"));
  }

  @Test
  void lowWaitsForAnotherReason() {
    change(
        of("low", JobEventType.WAITING),
        event ->
            with(
                event,
                Edits.waiting(
                    event.job(), new Waiting(WaitingReason.FRAGMENTED, "", null, false))));

    assertThat(wrong()).singleElement().asString().endsWith("low waited: FRAGMENTED");
  }

  @Test
  void theOwnerStopsAnother() {
    change(
        of("med", JobEventType.PREEMPTING),
        event -> with(event, Edits.renamed(event.job(), "high")));

    assertThat(wrong())
        .singleElement()
        .asString()
        .startsWith("vision's job gets its GPU back from med")
        .endsWith("stopped: high (RECLAIM for owner)");
  }

  @Test
  void theOwnerStopsTwo() {
    JobEvent stop =
        events.stream().filter(of("med", JobEventType.PREEMPTING)).findFirst().orElseThrow();
    events.add(events.indexOf(stop) + 1, with(stop, Edits.renamed(stop.job(), "high")));

    assertThat(wrong())
        .anyMatch(text -> text.endsWith("stopped: med, high"))
        .anyMatch(text -> text.startsWith("two jobs were stopped in all"));
  }

  @Test
  void theWrongCause() {
    changeAttempt(
        of("med", JobEventType.PREEMPTING),
        attempt -> Edits.stop(attempt, PreemptionCause.IN_SHARE, "owner"));

    assertThat(wrong()).singleElement().asString().endsWith("(IN_SHARE for owner)");
  }

  @Test
  void theWrongBeneficiary() {
    changeAttempt(
        of("high", JobEventType.PREEMPTING),
        attempt -> Edits.stop(attempt, PreemptionCause.IN_SHARE, "med"));

    assertThat(wrong()).singleElement().asString().endsWith("(IN_SHARE for med)");
  }

  @Test
  void aVictimThatDidNotSave() {
    events.removeIf(of("med", JobEventType.CHECKPOINTED));

    assertThat(wrong())
        .containsExactly(
            "med saves its work before it stops, and waits again / it stopped without a"
                + " checkpoint");
  }

  @Test
  void aVictimThatIsNotQueuedAgain() {
    events.removeIf(of("high", JobEventType.RUNNABLE));

    assertThat(wrong()).singleElement().asString().endsWith("it does not wait again");
  }

  @Test
  void anOwnerThatStartsTooEarly() {
    moveBefore(of("owner", JobEventType.STARTED), of("med", JobEventType.STOPPED));

    assertThat(wrong())
        .anyMatch(text -> text.startsWith("owner starts on vision's own GPU"))
        .anyMatch(text -> text.endsWith("3 of 3 GPUs were held at one time"));
  }

  @Test
  void anOwnerThatNeverStarts() {
    events.removeIf(of("owner", JobEventType.STARTED));

    assertThat(wrong()).singleElement().asString().endsWith("owner never started");
  }

  @Test
  void lowStopsNobody() {
    events.removeIf(of("high", JobEventType.PREEMPTING));

    assertThat(wrong())
        .anyMatch(text -> text.endsWith("stopped: nobody"))
        .anyMatch(text -> text.startsWith("two jobs were stopped in all"));
  }

  @Test
  void highStartsOver() {
    changeAttempt(
        event ->
            event.job().id().equals("high")
                && event.job().latestAttempt() != null
                && event.job().latestAttempt().number() == 2,
        attempt -> attempt.step() == null ? attempt : Edits.step(attempt, 1));

    assertThat(wrong())
        .singleElement()
        .asString()
        .startsWith("high goes on at its checkpoint")
        .endsWith("its second attempt began at step 1");
  }

  @Test
  void aVictimThatIsStoppedAgain() {
    JobEvent stop =
        events.stream().filter(of("med", JobEventType.PREEMPTING)).findFirst().orElseThrow();
    events.add(stop);

    assertThat(wrong()).anyMatch(text -> text.endsWith("stopped: med, high, med"));
  }

  @Test
  void aLedgerThatDoesNotAddUp() {
    report = Edits.report(report, report.totalDeviceSeconds() + 1, report.shares(), 0);

    assertThat(wrong()).singleElement().asString().startsWith("the ledger adds up");
  }

  @Test
  void aFutilePreemption() {
    report = Edits.report(report, report.totalDeviceSeconds(), report.shares(), 1);

    assertThat(wrong()).containsExactly("no preemption was futile / 1 were");
  }

  @Test
  void aReserveThatWasLent() {
    List<ShareDeviceSeconds> shares =
        report.shares().stream()
            .map(s -> s.share().equals("serving") ? Edits.lent(s, s.lent() + 2) : s)
            .toList();
    report = Edits.report(report, report.totalDeviceSeconds(), shares, 0);

    assertThat(wrong()).containsExactly("serving lent nothing / it lent 2.0 GPU-s");
  }

  @Test
  void aLoanThatNobodyGave() {
    List<ShareDeviceSeconds> shares =
        report.shares().stream()
            .map(s -> s.share().equals("vision") ? Edits.lent(s, s.lent() + 2) : s)
            .toList();
    report = Edits.report(report, report.totalDeviceSeconds(), shares, 0);

    assertThat(wrong()).singleElement().asString().startsWith("what background borrowed");
  }

  @Test
  void anEmptyLedger() {
    report =
        new UsageReport(
            null,
            null,
            new DeviceSeconds(0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
            0,
            List.of(),
            0,
            List.of());

    assertThat(wrong()).hasSize(2);
  }
}
