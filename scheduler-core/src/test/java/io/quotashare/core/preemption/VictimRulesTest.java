package io.quotashare.core.preemption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.RejectedAlternative;
import io.quotashare.core.model.Shape;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Examples of each rule of quota-semantics 4 and 5 that the search holds. */
class VictimRulesTest {
  private static final long MINUTE = 60_000L;
  private static final long HOUR = 60 * MINUTE;
  private static final long NOW = 1_000 * HOUR;
  private static final ShareKey OWNER = new ShareKey("q", "owner");

  private final Map<String, Integer> room = new TreeMap<>();
  private final Map<String, Integer> coming = new TreeMap<>();
  private final Map<ShareKey, Integer> above = new HashMap<>();
  private final List<Candidate> candidates = new ArrayList<>();
  private Question.Cover cover = taken -> true;

  @Test
  void rule41NobodyIsTakenIfTheJobSitsOnWhatIsComingFree() {
    room("n1", 4, 4);
    borrower("a", "s", 0, 1 * HOUR, Map.of("n1", 4));
    assertThat(victims(1, 4)).isEmpty();
  }

  @Test
  void rule42AShareIsNotNamedAgainOnceItHasSunkToItsLimit() {
    room("n1", 0, 0);
    borrower("a", "s", 0, 1 * HOUR, Map.of("n1", 1));
    borrower("b", "s", 0, 1 * HOUR, Map.of("n1", 1));
    borrower("c", "t", 0, 9 * HOUR, Map.of("n1", 1));
    above("s", 1);
    above("t", 1);
    assertThat(victims(1, 2)).containsExactlyInAnyOrder("a", "c");
    above("s", 2);
    assertThat(victims(1, 2)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void rule42TheLargestIsTakenLastAndMayTakeTheShareBelow() {
    room("n1", 0, 0);
    borrower("small", "s", 0, 1 * HOUR, Map.of("n1", 1));
    borrower("gang", "s", 0, 1 * HOUR, Map.of("n1", 6));
    above("s", 2);
    assertThat(victims(1, 7)).containsExactlyInAnyOrder("small", "gang");
    above("s", 1);
    assertThat(victims(1, 7)).isNull();
  }

  @Test
  void rule42AShareAtItsLimitLosesNothing() {
    room("n1", 0, 0);
    borrower("a", "s", 0, 1 * HOUR, Map.of("n1", 4));
    above("s", 0);
    assertThat(victims(1, 4)).isNull();
  }

  @Test
  void rule42APlanIsTakenBeforeAnyAttempt() {
    room("n1", 0, 0);
    room("n2", 0, 0);
    plan("p", "s", Map.of("n1", 4));
    borrower("a", "s", 0, 0, Map.of("n2", 4));
    assertThat(victims(1, 4)).containsExactly("p");
  }

  @Test
  void rule44EnoughDevicesButScatteredStopNobody() {
    room("n1", 0, 0);
    room("n2", 0, 0);
    borrower("a", "s", 0, 1 * HOUR, Map.of("n1", 2));
    borrower("b", "s", 0, 1 * HOUR, Map.of("n2", 2));
    assertThat(victims(1, 4)).isNull();
    assertThat(victims(2, 2)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void rule44DevicesOnNodesThatTakeNoWorkDoNotHelp() {
    room("n1", 0, 0);
    borrower("a", "s", 0, 1 * HOUR, Map.of("drained", 4));
    assertThat(victims(1, 4)).isNull();
  }

  @Test
  void rule44AGangReclaimsWhereTheFewestAreMissing() {
    room("n1", 0, 0);
    room("n2", 4, 0);
    room("n3", 8, 0);
    borrower("a1", "s", 0, 20 * HOUR, Map.of("n1", 8));
    borrower("a2", "s", 0, 1 * HOUR, Map.of("n2", 4));
    assertThat(victims(2, 8)).containsExactly("a2");
    assertThat(found(2, 8).places()).isEqualTo(Map.of("n2", 8, "n3", 8));
  }

  @Test
  void rule45NoMemberIsSuperfluous() {
    room("n1", 0, 0);
    own("low", 0, 1 * HOUR, Map.of("n1", 1));
    own("mid", 1, 2 * HOUR, Map.of("n1", 2));
    assertThat(victims(1, 2)).containsExactly("mid");
  }

  @Test
  void rule45iNobodyYoungIsTakenWhereOthersWillDo() {
    room("n1", 0, 0);
    young("young", "s", 5 * MINUTE, Map.of("n1", 1));
    borrower("old", "s", 9, 500 * HOUR, Map.of("n1", 1));
    assertThat(victims(1, 1)).containsExactly("old");
  }

  @Test
  void rule45iiLowerPriorityGoesFirstWhateverItCosts() {
    room("n1", 0, 0);
    borrower("high", "s", 5, 1 * MINUTE, Map.of("n1", 1));
    borrower("low", "s", 2, 99 * HOUR, Map.of("n1", 1));
    assertThat(victims(1, 1)).containsExactly("low");
  }

  @Test
  void rule45iiSeveralLowerOnesStandInForOne() {
    room("n1", 0, 0);
    borrower("high", "s", 5, 1 * MINUTE, Map.of("n1", 2));
    borrower("low1", "s", 2, 99 * HOUR, Map.of("n1", 1));
    borrower("low2", "s", 2, 99 * HOUR, Map.of("n1", 1));
    assertThat(victims(1, 2)).containsExactlyInAnyOrder("low1", "low2");
  }

  @Test
  void rule45iiDoesNotComparePrioritiesOfDifferentShares() {
    room("n1", 0, 0);
    borrower("high", "s", 9_999, 1 * MINUTE, Map.of("n1", 1));
    borrower("low", "t", 0, 2 * HOUR, Map.of("n1", 1));
    assertThat(victims(1, 1)).containsExactly("high");
  }

  @Test
  void rule45iiiTheLeastLostWorkAmongEquals() {
    room("n1", 0, 0);
    borrower("dear", "s", 1, 2 * HOUR, Map.of("n1", 1));
    borrower("saved", "s", 1, 1 * MINUTE, Map.of("n1", 1));
    assertThat(victims(1, 1)).containsExactly("saved");
  }

  @Test
  void rule45ivToViBreakTies() {
    room("n1", 0, 0);
    room("n2", 0, 0);
    borrower("a", "s", 1, 1 * HOUR, Map.of("n1", 1));
    borrower("b", "s", 1, 1 * HOUR, Map.of("n1", 1));
    borrower("c", "s", 1, 2 * HOUR, Map.of("n2", 2));
    assertThat(victims(1, 2)).as("(iv) fewest").containsExactly("c");
    candidates.clear();
    attempt("old", "s", 1, HOUR, Map.of("n1", 1), NOW - 2 * HOUR, 0);
    attempt("new", "s", 1, HOUR, Map.of("n1", 1), NOW - HOUR, 0);
    assertThat(victims(1, 1)).as("(v) newest").containsExactly("new");
    candidates.clear();
    attempt("x2", "s", 1, HOUR, Map.of("n1", 1), NOW - HOUR, 0);
    attempt("x1", "s", 1, HOUR, Map.of("n1", 1), NOW - HOUR, 0);
    assertThat(victims(1, 1)).as("(vi) job id").containsExactly("x1");
  }

  @Test
  void rule46OnlyYoungSetsWaitUntilTheFirstIsOld() {
    room("n1", 0, 0);
    room("n2", 0, 0);
    young("a", "s", 5 * MINUTE, Map.of("n1", 2));
    young("b", "s", 2 * MINUTE, Map.of("n2", 1));
    young("c", "s", 3 * MINUTE, Map.of("n2", 1));
    assertThat(find(1, 2)).isEqualTo(new Answer.OnlyYoung(NOW + 3 * MINUTE));
  }

  @Test
  void rule51OwnAttemptsHaveNoBoundByTheLimit() {
    room("n1", 0, 0);
    own("a", 0, 1 * HOUR, Map.of("n1", 2));
    own("b", 0, 1 * HOUR, Map.of("n1", 2));
    assertThat(victims(1, 4)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void rule54OwnAndOthersAreOneSetJudgedTogether() {
    room("n1", 0, 0);
    own("c1-low", 0, 3 * HOUR, Map.of("n1", 3));
    borrower("c2-low", "s", 0, 9 * HOUR, Map.of("n1", 3));
    borrower("c2-mid", "s", 1, 1 * HOUR, Map.of("n1", 4));
    above("s", 1);
    cover = taken -> taken.getOrDefault(OWNER, 0) >= 3;
    assertThat(victims(1, 4)).containsExactlyInAnyOrder("c1-low", "c2-low");
  }

  @Test
  void coverAloneCanNeedVictims() {
    room("n1", 8, 0);
    borrower("a", "s", 0, 3 * HOUR, Map.of("n9", 2));
    borrower("b", "s", 0, 1 * HOUR, Map.of("n9", 1));
    borrower("c", "s", 0, 1 * HOUR, Map.of("n9", 1));
    cover = taken -> taken.getOrDefault(new ShareKey("q", "s"), 0) >= 2;
    assertThat(victims(1, 4)).containsExactlyInAnyOrder("b", "c");
    assertThat(found(1, 4).places()).isEqualTo(Map.of("n1", 4));
  }

  @Test
  void placesPreferWhatIsLeavingThenTheTightestFit() {
    room("n1", 8, 0);
    room("n2", 0, 0);
    room("n3", 4, 2);
    borrower("a", "s", 0, 1 * HOUR, Map.of("n2", 4, "n3", 2));
    cover = taken -> taken.getOrDefault(new ShareKey("q", "s"), 0) >= 1;
    assertThat(found(1, 4).places()).isEqualTo(Map.of("n2", 4));
  }

  /** The example of docs/victim-selection.md. */
  @Test
  void theExampleOfTheGuide() {
    room("n1", 0, 0);
    room("n2", 0, 0);
    borrower("r1", "red", 1, 6 * HOUR, Map.of("n1", 2));
    borrower("r2", "red", 1, 30 * MINUTE, Map.of("n1", 1));
    borrower("b1", "blue", 0, 24 * MINUTE, Map.of("n1", 1));
    borrower("r3", "red", 2, 6 * MINUTE, Map.of("n2", 2));
    borrower("b2", "blue", 0, 12 * MINUTE, Map.of("n2", 1));
    borrower("b3", "blue", 0, 12 * MINUTE, Map.of("n2", 1));
    above("red", 5);
    above("blue", 1);
    assertThat(victims(1, 4)).containsExactlyInAnyOrder("r1", "r2", "b1");
    above("blue", 3);
    assertThat(victims(1, 4)).containsExactlyInAnyOrder("r3", "b2", "b3");
    candidates.removeIf(candidate -> candidate.job().id().equals("b1"));
    room("n1", 1, 0);
    assertThat(victims(1, 4)).containsExactlyInAnyOrder("r1", "r2");
  }

  @Test
  void rejectedOnesAreExplainedInWordsAndNumbers() {
    room("n1", 0, 0);
    room("n2", 0, 0);
    room("n3", 0, 0);
    borrower("chosen", "s", 1, 12 * MINUTE, Map.of("n1", 2));
    borrower("dear", "t", 1, 186 * MINUTE, Map.of("n2", 2));
    borrower("one", "v", 1, 6 * MINUTE, Map.of("n3", 1));
    borrower("two", "v", 1, 60 * MINUTE, Map.of("n3", 1));
    borrower("high", "s", 2, 7 * MINUTE, Map.of("n1", 2));
    borrower("limited", "u", 0, 8 * MINUTE, Map.of("n1", 2));
    above("u", 0);
    borrower("next", "s", 1, 30 * MINUTE, Map.of("n1", 1));
    above("s", 1);
    attempt("young", "t", 1, MINUTE, Map.of("n1", 2), NOW - 6 * MINUTE, NOW + 4 * MINUTE);
    borrower("away", "t", 0, 9 * MINUTE, Map.of("drained", 2));
    assertThat(victims(1, 2)).containsExactly("chosen");
    assertThat(reasons(1, 2))
        .containsEntry("young", "younger than minRuntime 10 min: protected for 4 min more")
        .containsEntry("dear", "would lose 3.1 GPU-h, the chosen one loses 0.2 GPU-h")
        .containsEntry(
            "one", "with 1 more that it needs would lose 1.1 GPU-h, the chosen one loses 0.2 GPU-h")
        .containsEntry("limited", "its share is not above its limit")
        .containsEntry("next", "its share is no longer above its limit after chosen")
        .containsEntry("away", "frees no device on a node where the job could sit");
    above("s", 100);
    assertThat(reasons(1, 2))
        .containsEntry("high", "higher priority than chosen in the same share")
        .containsEntry("next", "not needed: the chosen one frees enough");
  }

  @Test
  void atMostTenAreExplainedTheCheapestFirst() {
    room("n1", 0, 0);
    for (int i = 10; i < 40; i++) {
      borrower("j" + i, "s", 1, i * MINUTE, Map.of("n1", 1));
    }
    List<RejectedAlternative> rejected = found(1, 1).rejected();
    assertThat(rejected)
        .extracting(r -> r.job().id())
        .containsExactly("j11", "j12", "j13", "j14", "j15", "j16", "j17", "j18", "j19", "j20");
    assertThat(rejected.get(0).costDeviceMillis()).hasValue(11 * MINUTE);
  }

  @Test
  void aQuestionThatContradictsItselfIsRefused() {
    room("n1", 0, 0);
    attempt("a", "s", 0, 1, Map.of("n1", 1), NOW, 0);
    assertThatThrownBy(() -> find(1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("above: nothing for queues/q/shares/s");
    borrower("a", "s", 0, 1, Map.of("n1", 1));
    attempt("a", "s", 0, 1, Map.of("n1", 1), NOW - HOUR, 0);
    assertThatThrownBy(() -> find(1, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("twice");
  }

  private void room(String node, int devices, int leaving) {
    room.put(node, devices);
    coming.put(node, leaving);
  }

  private void above(String share, int devices) {
    above.put(new ShareKey("q", share), devices);
  }

  private void borrower(
      String job, String share, int priority, long cost, Map<String, Integer> on) {
    above.putIfAbsent(new ShareKey("q", share), 100);
    attempt(job, share, priority, cost, on, NOW - HOUR, 0);
  }

  private void young(String job, String share, long protectedMillis, Map<String, Integer> on) {
    above.putIfAbsent(new ShareKey("q", share), 100);
    attempt(job, share, 0, 0, on, NOW - MINUTE, NOW + protectedMillis);
  }

  private void own(String job, int priority, long cost, Map<String, Integer> on) {
    attempt(job, OWNER.share(), priority, cost, on, NOW - HOUR, 0);
  }

  private void plan(String job, String share, Map<String, Integer> on) {
    above.putIfAbsent(new ShareKey("q", share), 100);
    add(Candidate.Kind.PLAN, job, share, 0, 0, on, NOW, 0);
  }

  private void attempt(
      String job,
      String share,
      int priority,
      long cost,
      Map<String, Integer> on,
      long scheduledAt,
      long youngUntil) {
    add(Candidate.Kind.ATTEMPT, job, share, priority, cost, on, scheduledAt, youngUntil);
  }

  private void add(
      Candidate.Kind kind,
      String job,
      String share,
      int priority,
      long cost,
      Map<String, Integer> on,
      long scheduledAt,
      long youngUntil) {
    int gpus = on.values().stream().mapToInt(n -> n).sum();
    candidates.add(
        new Candidate(
            kind,
            new JobKey("q", job),
            new ShareKey("q", share),
            priority,
            new TreeMap<>(on),
            gpus,
            youngUntil,
            cost,
            scheduledAt));
  }

  private Answer find(int nodes, int gpusPerNode) {
    return new VictimSearch()
        .find(
            new Question(
                OWNER,
                new Shape(nodes, gpusPerNode),
                new TreeMap<>(room),
                new TreeMap<>(coming),
                candidates,
                above,
                cover,
                NOW));
  }

  private Answer.Found found(int nodes, int gpusPerNode) {
    return (Answer.Found) find(nodes, gpusPerNode);
  }

  /** Names of the victims; null if there is no admissible set. */
  private List<String> victims(int nodes, int gpusPerNode) {
    return find(nodes, gpusPerNode) instanceof Answer.Found found
        ? found.victims().stream().map(victim -> victim.job().id()).toList()
        : null;
  }

  private Map<String, String> reasons(int nodes, int gpusPerNode) {
    Map<String, String> reasons = new TreeMap<>();
    for (RejectedAlternative rejected : found(nodes, gpusPerNode).rejected()) {
      reasons.put(rejected.job().id(), rejected.why());
    }
    return reasons;
  }
}
