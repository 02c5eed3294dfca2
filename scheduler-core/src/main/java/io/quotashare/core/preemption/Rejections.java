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
import java.util.Set;

/**
 * Why others were not chosen, in words. Those that a person would ask about come first: what is
 * protected, then the cheapest.
 */
final class Rejections {
  private static final long MILLIS_PER_SECOND = 1_000;
  private static final long MILLIS_PER_MINUTE = 60_000;
  private static final double MILLIS_PER_HOUR = 3_600_000;

  private static final Comparator<Candidate> ORDER =
      Comparator.comparingLong(Candidate::costDeviceMillis)
          .thenComparing(Candidate::job)
          .thenComparing(Candidate::kind);

  private final Question question;
  private final List<Candidate> chosen;
  private final Set<JobKey> chosenJobs = new HashSet<>();
  private final Map<ShareKey, Loss> losses = new HashMap<>();
  private final long cost;

  /** What the chosen ones take from a share. */
  private static final class Loss {
    int gpus;
    Candidate largest;
    Candidate highest;

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

  private Rejections(Question question, List<Candidate> chosen) {
    this.question = question;
    this.chosen = chosen;
    long sum = 0;
    for (Candidate member : chosen) {
      sum += member.costDeviceMillis();
      chosenJobs.add(member.job());
      losses.computeIfAbsent(member.share(), share -> new Loss(member)).add(member);
    }
    this.cost = sum;
  }

  /** At most {@link Plan#MAX_REJECTED} reasons; none if nothing was taken. */
  static List<RejectedAlternative> explain(Question question, List<Candidate> chosen) {
    return chosen.isEmpty() ? List.of() : new Rejections(question, chosen).explain();
  }

  private List<RejectedAlternative> explain() {
    List<Candidate> first = new ArrayList<>();
    for (Candidate candidate : question.candidates()) {
      if (!chosenJobs.contains(candidate.job())) {
        first.add(candidate);
      }
    }
    first.sort(ORDER);
    List<RejectedAlternative> rejected = new ArrayList<>();
    for (Candidate candidate : first.subList(0, Math.min(first.size(), Plan.MAX_REJECTED))) {
      rejected.add(
          new RejectedAlternative(
              candidate.job(), why(candidate), OptionalLong.of(candidate.costDeviceMillis())));
    }
    return rejected;
  }

  private String why(Candidate candidate) {
    if (candidate.isYoung(question.nowMillis())) {
      return "younger than minRuntime "
          + duration(candidate.youngUntilMillis() - candidate.scheduledAtMillis())
          + ": protected for "
          + duration(candidate.youngUntilMillis() - question.nowMillis())
          + " more";
    }
    Loss loss = losses.get(candidate.share());
    if (loss == null) {
      return isOther(candidate) && question.above().get(candidate.share()) <= 0
          ? "its share is not above its limit"
          : byCost(candidate);
    }
    if (isOther(candidate) && !mayBeNamedAfter(loss, candidate)) {
      return "its share is no longer above its limit after " + loss.largest.job().id();
    }
    if (candidate.kind() == Candidate.Kind.ATTEMPT
        && loss.highest.kind() == Candidate.Kind.ATTEMPT
        && candidate.priority() > loss.highest.priority()) {
      return "higher priority than " + loss.highest.job().id() + " in the same share";
    }
    return byCost(candidate);
  }

  private boolean isOther(Candidate candidate) {
    return !candidate.share().equals(question.beneficiaryShare());
  }

  private boolean mayBeNamedAfter(Loss loss, Candidate candidate) {
    int largest = Math.max(loss.largest.gpus(), candidate.gpus());
    int excess = question.above().get(candidate.share());
    return excess - (loss.gpus + candidate.gpus() - largest) > 0;
  }

  private String byCost(Candidate candidate) {
    if (candidate.costDeviceMillis() > cost) {
      return "would lose "
          + gpuHours(candidate.costDeviceMillis())
          + ", the chosen "
          + (chosen.size() == 1 ? "one loses " : "ones lose ")
          + gpuHours(cost);
    }
    return chosen.size() == 1
        ? "not needed: the chosen one frees enough"
        : "not needed: the chosen ones free enough";
  }

  private static String gpuHours(long deviceMillis) {
    double hours = deviceMillis / MILLIS_PER_HOUR;
    String format = hours >= 0.1 || deviceMillis == 0 ? "%.1f GPU-h" : "%.4f GPU-h";
    return String.format(Locale.ROOT, format, hours);
  }

  /** In the largest unit that is at least one, rounded up. */
  private static String duration(long millis) {
    long seconds = (millis + MILLIS_PER_SECOND - 1) / MILLIS_PER_SECOND;
    if (millis % MILLIS_PER_MINUTE == 0 || millis > 2 * MILLIS_PER_MINUTE) {
      return (millis + MILLIS_PER_MINUTE - 1) / MILLIS_PER_MINUTE + " min";
    }
    return seconds + " s";
  }
}
