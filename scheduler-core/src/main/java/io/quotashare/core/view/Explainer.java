package io.quotashare.core.view;

import io.quotashare.core.Explanation;
import io.quotashare.core.RejectedException;
import io.quotashare.core.RejectedException.Kind;
import io.quotashare.core.decide.ExpectedStart;
import io.quotashare.core.ledger.Ledger;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.BorrowMode;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.JobSpec.LostAfter;
import io.quotashare.core.model.Loan;
import io.quotashare.core.model.Node;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.Part;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.Preemption;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.RejectedAlternative;
import io.quotashare.core.model.Stop;
import io.quotashare.core.model.Waiting;
import io.quotashare.core.model.WaitingReason;
import io.quotashare.core.state.Pool;
import io.quotashare.core.state.ShareState;
import io.quotashare.core.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Says in sentences why a job waits, for whom one was stopped, and what could take a running one's
 * devices away.
 */
public final class Explainer {
  private final State state;

  public Explainer(State state) {
    this.state = state;
  }

  /** Explains a job. */
  public Explanation explain(JobKey key) {
    Job job =
        state
            .archive()
            .job(key)
            .orElseThrow(
                () ->
                    new RejectedException(
                        Kind.NOT_FOUND,
                        "JOB_NOT_FOUND",
                        "name",
                        "name: " + state.archive().missing(key)));
    if (job.state().isTerminal()) {
      return new Explanation(
          who(job) + " is " + job.state() + ": " + job.endReason(),
          stopped(job),
          List.of(),
          List.of(),
          OptionalLong.empty());
    }
    return job.state().isWaiting() ? waiting(job) : live(job);
  }

  private String who(Job job) {
    return String.format(
        "%s (%s, %s, priority %d)",
        job.key().id(), job.spec().share(), gpus(job.gpus()), job.priority());
  }

  // Waiting

  private Explanation waiting(Job job) {
    Waiting waiting = job.waiting();
    if (waiting == null) {
      return new Explanation(
          who(job) + " was submitted and not looked at yet",
          List.of(),
          List.of(),
          List.of(),
          OptionalLong.empty());
    }
    String passes = waiting.reason().isPermanent() ? ", which cannot pass by itself" : "";
    String summary =
        String.format(
            "%s has waited %s: %s%s",
            who(job), ago(waiting.sinceMillis()), waiting.reason(), passes);
    List<String> details = new ArrayList<>();
    details.add(sentence(waiting.detail()));
    OptionalLong start = ExpectedStart.of(state, job);
    start.ifPresent(
        at ->
            details.add(
                "It starts in "
                    + seconds(at - state.now())
                    + " at the latest, if no other job goes before it."));
    Optional<Plan> plan = state.planFor(job.key());
    plan.ifPresent(found -> victims(found).forEach(details::add));
    if (waiting.reason() == WaitingReason.BEHIND_FRONT_JOB) {
      front(job).ifPresent(details::add);
    }
    details.add(standing(job));
    unblock(job, waiting.reason()).ifPresent(details::add);
    details.addAll(stopped(job));
    Optional<Observation> observed =
        waiting.reason() == WaitingReason.OBSERVE_ONLY
            ? state.observations().of(job)
            : Optional.empty();
    observed.ifPresent(found -> details.addAll(wouldStop(found)));
    List<RejectedAlternative> rejected =
        plan.map(Plan::rejected).or(() -> observed.map(Observation::rejected)).orElse(List.of());
    List<JobKey> stopping =
        plan.map(
                found ->
                    found.victims().stream()
                        .filter(victim -> state.live().containsKey(victim))
                        .map(v -> v.job())
                        .toList())
            .orElse(List.of());
    return new Explanation(summary, details, rejected, stopping, start);
  }

  /** Whom its queue would stop for it if it did not only observe. */
  private List<String> wouldStop(Observation observation) {
    List<String> result = new ArrayList<>();
    for (Observation.Victim victim : observation.victims()) {
      result.add(
          String.format(
              "It would stop %s (share %s, %s, %s), which would cost %s.",
              victim.attempt().job().id(),
              victim.share().share(),
              gpus(victim.gpus()),
              victim.cause(),
              hours(victim.costDeviceMillis())));
    }
    result.add(
        "That was decided "
            + ago(observation.decidedAtMillis())
            + " ago"
            + (observation.approximate() ? "; a search bound ended the choice early." : "."));
    return result;
  }

  private static String notChosen(RejectedAlternative other) {
    return "Not chosen instead: " + other.job().id() + " (" + other.why() + ").";
  }

  private List<String> victims(Plan plan) {
    List<String> result = new ArrayList<>();
    for (Attempt attempt :
        plan.victims().stream().map(victim -> state.live().get(victim)).toList()) {
      Stop stop = attempt == null ? null : attempt.stop();
      if (stop != null) {
        String saved =
            stop.savedAtMillis().isPresent()
                ? "saved its checkpoint " + ago(stop.savedAtMillis().getAsLong()) + " ago"
                : stop.saveFirst() ? "is saving" : "was told to end";
        result.add(
            String.format(
                "%s %s, and is stopped in %s at the latest.",
                attempt.key().job().id(), saved, seconds(stop.deadlineMillis() - state.now())));
      }
    }
    return result;
  }

  private Optional<String> front(Job job) {
    ShareState share = state.poolOf(job).share(job.share());
    if (share.line().isEmpty()) {
      return Optional.empty();
    }
    Job first = state.job(share.line().first().job());
    Waiting waiting = first.waiting();
    String why =
        waiting == null ? first.state().toString() : waiting.reason() + ": " + waiting.detail();
    return Optional.of(
        String.format(
            "The front job is %s (%s, priority %d): %s.",
            first.key().id(), gpus(first.gpus()), first.priority(), why));
  }

  private String standing(Job job) {
    Pool pool = state.poolOf(job);
    Ledger planned = pool.planned();
    int above = planned.above(job.share());
    int free = Math.max(0, planned.free());
    return String.format(
        "Share %s uses %d of its %d %s%s; the queue has %d, of which %s unused.",
        job.spec().share(),
        planned.use(job.share()) - above,
        planned.capacity(job.share()),
        pool.key().unit(),
        above == 0 ? "" : " and " + above + " more",
        planned.exists(),
        free == 0 ? "none is" : free == 1 ? "1 is" : free + " are");
  }

  private Optional<String> unblock(Job job, WaitingReason reason) {
    QuotaShare share = state.shareOf(job);
    return switch (reason) {
      case QUEUE_CAPACITY_EXCEEDED, NO_NODE_FITS ->
          Optional.of("Ask for a smaller shape, or add nodes.");
      case SHARE_LIMIT_EXCEEDED ->
          Optional.of(
              "Ask for fewer GPUs, raise the limit of share "
                  + share.key().share()
                  + ", or let it borrow.");
      case BORROW_LIMIT_EXCEEDED, BORROW_LIMIT_REACHED ->
          Optional.of("Raise the limit or the borrow limit of share " + share.key().share() + ".");
      case NOT_LENDABLE ->
          Optional.of(
              "Ask for fewer GPUs: even if everybody lent everything, it would not be enough.");
      case HELD -> Optional.of("Release it.");
      case SHARE_AT_LIMIT ->
          Optional.of(
              "It starts when a job of share "
                  + share.key().share()
                  + " ends"
                  + (share.inSharePreemption()
                      ? ", or with a higher priority than one that runs."
                      : "."));
      case NOTHING_TO_BORROW -> Optional.of("It starts when devices that may be lent come free.");
      case WAITING_FOR_NODES -> Optional.of("It starts when these nodes are back.");
      case OBSERVE_ONLY ->
          Optional.of(
              "It starts when devices come free, or with preemptionMode: ENFORCE in queue "
                  + share.key().queue()
                  + ".");
      case SCHEDULING_PAUSED ->
          Optional.of("It is decided about when an operator resumes scheduling.");
      default -> Optional.empty();
    };
  }

  // Stopped and running

  private List<String> stopped(Job job) {
    Optional<Preemption> last = state.lastPreemption(job.key());
    if (last.isEmpty()) {
      return List.of();
    }
    Preemption preemption = last.get();
    List<String> result = new ArrayList<>();
    String forWhom =
        preemption.beneficiary() == null || preemption.beneficiaryShare() == null
            ? ""
            : " for "
                + preemption.beneficiary().id()
                + " of share "
                + preemption.beneficiaryShare().share();
    String lost =
        preemption.freedAtMillis().isPresent()
            ? "; it lost " + hours(preemption.lostDeviceMillis()) + " of work"
            : "; it is expected to lose " + hours(preemption.expectedCostDeviceMillis());
    result.add(
        String.format(
            "Attempt %d was stopped %s ago%s (%s)%s.",
            preemption.victim().number(),
            ago(preemption.requestedAtMillis()),
            forWhom,
            preemption.cause(),
            lost));
    preemption.rejected().stream().limit(3).forEach(other -> result.add(notChosen(other)));
    return result;
  }

  private Explanation live(Job job) {
    Attempt attempt = state.liveAttempt(job.key()).orElseThrow();
    Stop stop = attempt.stop();
    List<String> silent = silentNodes(attempt);
    List<String> details = new ArrayList<>();
    if (!silent.isEmpty()) {
      details.add(silence(job));
    }
    if (stop != null) {
      details.addAll(stopped(job));
      details.add(
          "It is stopped in " + seconds(stop.deadlineMillis() - state.now()) + " at the latest.");
      return new Explanation(
          who(job) + " is " + job.state() + ": " + stop.cause(),
          details,
          List.of(),
          List.of(),
          OptionalLong.empty());
    }
    details.add(standing(job));
    details.add(risk(job));
    protection(job, attempt).ifPresent(details::add);
    wouldBeStopped(attempt).ifPresent(details::add);
    Checkpoint checkpoint = attempt.progress().checkpoint();
    details.add(
        checkpoint == null
            ? "It has saved no checkpoint in this attempt."
            : "Its newest checkpoint holds the state of "
                + ago(checkpoint.stateAtMillis())
                + " ago.");
    details.addAll(stopped(job));
    String summary =
        silent.isEmpty()
            ? String.format(
                "%s has been %s for %s", who(job), job.state(), ago(attempt.scheduledAtMillis()))
            : String.format(
                "%s is %s: nothing is heard from %s",
                who(job), job.state(), String.join(", ", silent));
    return new Explanation(summary, details, List.of(), List.of(), OptionalLong.empty());
  }

  private List<String> silentNodes(Attempt attempt) {
    return attempt.parts().stream()
        .filter(part -> !part.phase().isFree())
        .map(Part::node)
        .filter(node -> state.nodes().get(node).liveness() != Node.Liveness.ALIVE)
        .toList();
  }

  /** What comes of a silent node (reliability N2, N3). */
  private static String silence(Job job) {
    String elsewhere =
        job.spec().lostAfter() instanceof LostAfter.Never
            ? "It is started elsewhere only once its node is heard again or fenced."
            : "Otherwise it ends itself when its lease is over, and is started elsewhere after"
                + " that.";
    return "It goes on as if nothing had happened if the node's agent is heard again. " + elsewhere;
  }

  /** For whom its queue would stop it if it did not only observe. */
  private Optional<String> wouldBeStopped(Attempt attempt) {
    List<String> jobs =
        state.observations().all().stream()
            .filter(o -> o.victims().stream().anyMatch(v -> v.attempt().equals(attempt.key())))
            .map(Observation::beneficiary)
            .filter(job -> job != null && isObserved(job))
            .map(job -> job.id())
            .limit(5)
            .toList();
    return jobs.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Its queue only observes; otherwise it would be stopped for "
                + String.join(", ", jobs)
                + ".");
  }

  private boolean isObserved(JobKey key) {
    Waiting waiting = state.job(key).waiting();
    return waiting != null && waiting.reason() == WaitingReason.OBSERVE_ONLY;
  }

  private String risk(Job job) {
    Pool pool = state.poolOf(job);
    QuotaShare share = state.shareOf(job);
    int above = pool.planned().above(job.share());
    String inShare =
        share.inSharePreemption()
            ? "a job of share "
                + share.key().share()
                + " with a priority above "
                + job.priority()
                + " could stop it"
            : "no job of its own share can stop it";
    if (above == 0) {
      return "Its share is within its limit, so no other share can take its devices; "
          + inShare
          + ".";
    }
    String never =
        job.spec().borrow() == BorrowMode.NEVER ? " (though it never borrows itself)" : "";
    return String.format(
        "Its share uses %d above its limit%s, %s, who may take them back at any time; %s.",
        above, never, lenders(pool, share), inShare);
  }

  private static String lenders(Pool pool, QuotaShare borrower) {
    List<String> names =
        pool.loans().loans().stream()
            .filter(loan -> loan.borrower().equals(borrower.key().share()))
            .map(
                loan ->
                    loan.gpus()
                        + (loan.lender().equals(Loan.UNASSIGNED)
                            ? " that no share owns"
                            : " lent by " + loan.lender()))
            .toList();
    return names.isEmpty() ? "which are for shares within their limit" : String.join(", ", names);
  }

  /** While it is young it is stopped only if nothing else would do (quota-semantics 4.6). */
  private Optional<String> protection(Job job, Attempt attempt) {
    long left = attempt.scheduledAtMillis() + state.shareOf(job).minRuntimeMillis() - state.now();
    return left <= 0
        ? Optional.empty()
        : Optional.of("The minRuntime of its share protects it for " + seconds(left) + " more.");
  }

  // Words

  private static String sentence(String text) {
    return text.isEmpty() || text.endsWith(".")
        ? text
        : Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }

  private static String gpus(int count) {
    return count == 1 ? "1 GPU" : count + " GPUs";
  }

  private String ago(long millis) {
    return seconds(state.now() - millis);
  }

  private static String seconds(long millis) {
    long seconds = Math.max(0, millis) / 1000;
    if (seconds < 120) {
      return seconds + " s";
    }
    return seconds < 7200
        ? seconds / 60 + " min"
        : seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
  }

  private static String hours(long deviceMillis) {
    return String.format(Locale.ROOT, "%.2f GPU-h", deviceMillis / 3_600_000.0);
  }
}
