package io.quotashare.core.preemption;

import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Plan;
import io.quotashare.core.model.RejectedAlternative;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Set;

/** Why the cheapest of the others were not chosen, in words and numbers. */
final class Rejections {
  private static final long MILLIS_PER_SECOND = 1_000;
  private static final long MILLIS_PER_MINUTE = 60_000;
  private static final double MILLIS_PER_HOUR = 3_600_000;

  private static final Comparator<Candidate> CHEAPEST_FIRST =
      Comparator.comparingLong(Candidate::costDeviceMillis).thenComparing(Problem.BY_NAME);

  private final Question question;
  private final Problem problem;
  private final Growing growing;
  private final Trimming trimming;
  private final Map<ShareKey, Loss> losses = new HashMap<>();
  private final long cost;
  private final boolean one;

  /** What the chosen ones take from a share. */
  private static final class Loss {
    private int gpus;
    private Candidate largest;
    private Candidate highest;

    Loss(Candidate member) {
      largest = member;
      highest = member;
    }

    void add(Candidate member) {
      gpus += member.gpus();
      largest = member.gpus() > largest.gpus() ? member : largest;
      highest = member.priority() > highest.priority() ? member : highest;
    }
  }

  Rejections(Question question, Problem problem, Growing growing, List<Candidate> chosen) {
    this.question = question;
    this.problem = problem;
    this.growing = growing;
    this.trimming = new Trimming(problem);
    this.one = chosen.size() == 1;
    long sum = 0;
    for (Candidate member : chosen) {
      sum += member.costDeviceMillis();
      losses.computeIfAbsent(member.share(), share -> new Loss(member)).add(member);
    }
    this.cost = sum;
  }

  /** At most {@link Plan#MAX_REJECTED} reasons. */
  List<RejectedAlternative> explain(List<Candidate> chosen) {
    Set<JobKey> chosenJobs = new HashSet<>();
    chosen.forEach(member -> chosenJobs.add(member.job()));
    PriorityQueue<Candidate> cheapest = new PriorityQueue<>(CHEAPEST_FIRST.reversed());
    for (Candidate candidate : question.candidates()) {
      boolean full = cheapest.size() == Plan.MAX_REJECTED;
      if ((!full || CHEAPEST_FIRST.compare(candidate, cheapest.peek()) < 0)
          && !chosenJobs.contains(candidate.job())) {
        cheapest.add(candidate);
        if (full) {
          cheapest.remove();
        }
      }
    }
    List<Candidate> sorted = new ArrayList<>(cheapest);
    sorted.sort(CHEAPEST_FIRST);
    List<RejectedAlternative> rejected = new ArrayList<>();
    for (Candidate candidate : sorted) {
      rejected.add(
          new RejectedAlternative(
              candidate.job(), why(candidate), OptionalLong.of(candidate.costDeviceMillis())));
    }
    return rejected;
  }

  private String why(Candidate candidate) {
    if (candidate.isYoung(question.nowMillis())) {
      return String.format(
          "younger than minRuntime %s: protected for %s more",
          duration(candidate.youngUntilMillis() - candidate.scheduledAtMillis()),
          duration(candidate.youngUntilMillis() - question.nowMillis()));
    }
    boolean other = !candidate.share().equals(question.beneficiaryShare());
    if (other && question.above().get(candidate.share()) <= 0) {
      return "its share is not above its limit";
    }
    Loss loss = losses.get(candidate.share());
    if (loss != null && other && !mayBeNamedAfter(loss, candidate)) {
      return "its share is no longer above its limit after " + loss.largest.job().id();
    }
    if (loss != null
        && candidate.kind() == Candidate.Kind.ATTEMPT
        && loss.highest.kind() == Candidate.Kind.ATTEMPT
        && candidate.priority() > loss.highest.priority()) {
      return "higher priority than " + loss.highest.job().id() + " in the same share";
    }
    return byUse(candidate);
  }

  private boolean mayBeNamedAfter(Loss loss, Candidate candidate) {
    int largest = Math.max(loss.largest.gpus(), candidate.gpus());
    int excess = question.above().get(candidate.share());
    return excess - (loss.gpus + candidate.gpus() - largest) > 0;
  }

  private String byUse(Candidate candidate) {
    int c = 0;
    while (c < problem.size() && Problem.BY_NAME.compare(problem.candidates[c], candidate) != 0) {
      c++;
    }
    if (c == problem.size()) {
      return freesWhereItCounts(candidate)
          ? "attempts of lower priority in its share are enough"
          : "frees no device on a node where the job could sit";
    }
    Selection with = new Selection(problem);
    with.add(c);
    if (growing.growAround(with)) {
      trimming.drop(with, c);
      with.remove(c);
      if (!with.seats() || !with.covers()) {
        return byCost(with.size(), with.cost() + candidate.costDeviceMillis());
      }
    }
    return one
        ? "not needed: the chosen one frees enough"
        : "not needed: the chosen ones free enough";
  }

  /** Whether it is a node that the problem keeps where it frees devices, or it serves the cover. */
  private boolean freesWhereItCounts(Candidate candidate) {
    int perNode = question.shape().gpusPerNode();
    boolean nodes =
        candidate.freed().entrySet().stream()
            .anyMatch(
                freed ->
                    freed.getValue() > 0
                        && question.room().getOrDefault(freed.getKey(), perNode) < perNode);
    boolean lower =
        question.candidates().stream()
            .anyMatch(
                c ->
                    c.share().equals(candidate.share())
                        && c.priority() < candidate.priority()
                        && c.kind() == Candidate.Kind.ATTEMPT);
    return nodes && lower;
  }

  private String byCost(int more, long sum) {
    String loss =
        more == 0
            ? "would lose " + gpuHours(sum)
            : String.format("with %s more that it needs would lose %s", more, gpuHours(sum));
    if (sum > cost) {
      String chosen = one ? ", the chosen one loses " : ", the chosen ones lose ";
      // Two that look alike would be no reason.
      return gpuHours(sum).equals(gpuHours(cost))
          ? loss + chosen + "a little less"
          : loss + chosen + gpuHours(cost);
    }
    return sum == cost
        ? loss + " too; the fewest attempts go first, then the most recently started"
        : loss + ", but lower priorities in the same share go first";
  }

  private static String gpuHours(long deviceMillis) {
    double hours = deviceMillis / MILLIS_PER_HOUR;
    String format = hours >= 0.1 || deviceMillis == 0 ? "%.1f GPU-h" : "%.3f GPU-h";
    return String.format(Locale.ROOT, format, hours);
  }

  /** In minutes from two minutes on, in seconds below; rounded up. */
  private static String duration(long millis) {
    if (millis >= 2 * MILLIS_PER_MINUTE || (millis > 0 && millis % MILLIS_PER_MINUTE == 0)) {
      return (millis + MILLIS_PER_MINUTE - 1) / MILLIS_PER_MINUTE + " min";
    }
    return (millis + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND + " s";
  }
}
