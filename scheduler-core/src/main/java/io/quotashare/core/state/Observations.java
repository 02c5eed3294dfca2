package io.quotashare.core.state;

import static io.quotashare.core.model.Check.checkArgument;
import static io.quotashare.core.model.Check.checkState;

import io.quotashare.core.Change;
import io.quotashare.core.model.Job;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Observation;
import io.quotashare.core.model.Observation.Victim;
import io.quotashare.core.model.ObservedPreemption;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.RejectedAlternative;
import io.quotashare.core.model.ShareKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What queues that only observe would have stopped: the newest set of each beneficiary, and the
 * memory of the sets that were recorded for it. It ends with the wait of its beneficiary, or when
 * the queue enforces again. No decision about devices reads it.
 */
public final class Observations {
  /** Beneficiaries by name; a limit that was lowered has one a share and unit. */
  private record Key(PoolKey pool, ShareKey share, @Nullable JobKey beneficiary) {
    private static Key of(Observation observation) {
      return new Key(observation.pool(), observation.share(), observation.beneficiary());
    }

    private static Key of(Job job) {
      return new Key(job.pool(), job.share(), job.key());
    }
  }

  private final State state;
  private final SortedMap<Long, Observation> byId = new TreeMap<>();
  private final Map<Key, Long> ids = new HashMap<>();

  Observations(State state) {
    this.state = state;
  }

  /**
   * Takes note of whom a queue would stop; records the set unless it was recorded for this
   * beneficiary before.
   *
   * @param share share of the beneficiary, or the share whose limit was lowered
   * @param beneficiary null if it is for no job
   * @param victims one or more
   */
  public void note(
      Pool pool,
      ShareKey share,
      @Nullable JobKey beneficiary,
      List<Victim> victims,
      boolean approximate,
      List<RejectedAlternative> rejected) {
    checkArgument(!victims.isEmpty(), "victims: none (expected: one or more)");
    Long known = ids.get(new Key(pool.key(), share, beneficiary));
    Observation before = known == null ? null : byId.get(known);
    long fingerprint = Observation.fingerprint(victims);
    if (before != null && Observation.fingerprint(before.victims()) == fingerprint) {
      return;
    }
    List<Long> recorded = new ArrayList<>(before == null ? List.of() : before.recorded());
    boolean isNew = !recorded.contains(fingerprint) && recorded.size() < Observation.MAX_RECORDED;
    long decision = isNew ? state.takePlanId() : 0;
    if (isNew) {
      recorded.add(fingerprint);
      for (Victim victim : victims) {
        record(decision, share, beneficiary, victim, approximate, rejected);
      }
    }
    put(
        new Observation(
            before == null ? decision : before.id(),
            pool.key(),
            share,
            beneficiary,
            victims,
            state.now(),
            approximate,
            rejected,
            recorded));
  }

  private void record(
      long decision,
      ShareKey share,
      @Nullable JobKey beneficiary,
      Victim victim,
      boolean approximate,
      List<RejectedAlternative> rejected) {
    state
        .recorder()
        .change(
            new Change.ObservedPreemptionPut(
                new ObservedPreemption(
                    decision,
                    victim.attempt(),
                    victim.share(),
                    beneficiary,
                    beneficiary == null ? null : share,
                    victim.cause(),
                    victim.gpus(),
                    state.now(),
                    victim.costDeviceMillis(),
                    approximate,
                    rejected)));
  }

  private void put(Observation observation) {
    restore(observation);
    state.recorder().change(new Change.ObservationPut(observation));
  }

  void restore(Observation observation) {
    byId.put(observation.id(), observation);
    ids.put(Key.of(observation), observation.id());
  }

  /** Ends the observation for a job that waits no more. */
  void end(Job job) {
    Long id = byId.isEmpty() ? null : ids.get(Key.of(job));
    if (id != null) {
      end(id);
    }
  }

  /** Ends all of a queue, which enforces from now on. */
  void endAll(String queue) {
    byId.values().stream()
        .filter(observation -> observation.pool().queue().equals(queue))
        .map(Observation::id)
        .toList()
        .forEach(this::end);
  }

  /** Ends those of a share that is no more. */
  void endAll(ShareKey share) {
    byId.values().stream()
        .filter(observation -> observation.share().equals(share))
        .map(Observation::id)
        .toList()
        .forEach(this::end);
  }

  private void end(long id) {
    Observation ended = byId.remove(id);
    checkState(ended != null, "observation %s does not exist", id);
    ids.remove(Key.of(ended));
    state.recorder().change(new Change.ObservationRemoved(id));
  }

  /** The newest observation for a job that waits; empty if there is none. */
  public Optional<Observation> of(Job job) {
    Long id = byId.isEmpty() ? null : ids.get(Key.of(job));
    return id == null ? Optional.empty() : Optional.ofNullable(byId.get(id));
  }

  /** All, in the order in which their beneficiaries were first observed. */
  public Collection<Observation> all() {
    return Collections.unmodifiableCollection(byId.values());
  }
}
