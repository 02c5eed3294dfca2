package io.quotashare.server.store;

import static io.quotashare.server.store.SampleState.QUEUE;
import static io.quotashare.server.store.SampleState.batch;
import static io.quotashare.server.store.SampleState.queue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import io.quotashare.server.store.MemoryStateStore.Fault;
import io.quotashare.server.store.StoreUnavailableException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryStateStoreTest extends StateStoreQueryContract {
  @Override
  StateStore open() {
    return new MemoryStateStore(LIMITS);
  }

  @Override
  StateStore openOther(StoreLimits limits) {
    return new MemoryStateStore(limits);
  }

  @Override
  StateStore reopen(StateStore store) {
    return ((MemoryStateStore) store).reopen();
  }

  @ParameterizedTest
  @CsvSource({"FULL, FULL", "BUSY, BUSY", "DISCONNECTED, DISCONNECTED"})
  void takesTheSameBatchAgainAfterAPassingFault(Fault fault, Reason reason) {
    MemoryStateStore memory = new MemoryStateStore(LIMITS);
    CommitBatch batch = batch(memory.takeEpoch(), 1, new Change.QueuePut(queue(QUEUE)));
    memory.failNextCommit(fault);

    assertThatThrownBy(() -> memory.commit(batch))
        .isInstanceOfSatisfying(
            StoreUnavailableException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    assertThat(memory.load()).isEmpty();

    memory.commit(batch);
    assertThat(memory.load()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"UNKNOWN_WRITTEN, 1", "UNKNOWN_LOST, 0"})
  void tellsAfterwardsWhetherABatchOfUnknownOutcomeIsThere(Fault fault, long revision) {
    MemoryStateStore memory = new MemoryStateStore(LIMITS);
    CommitBatch batch = batch(memory.takeEpoch(), 1, new Change.QueuePut(queue(QUEUE)));
    memory.failNextCommit(fault);

    assertThatThrownBy(() -> memory.commit(batch)).isInstanceOf(OutcomeUnknownException.class);

    assertThat(memory.lastCommit().revision()).isEqualTo(revision);
    assertThat(memory.load()).hasSize((int) revision);
  }

  @Test
  void isOfNoUseAfterAFailureUntilItIsReopened() {
    MemoryStateStore memory = new MemoryStateStore(LIMITS);
    CommitBatch batch = batch(memory.takeEpoch(), 1, new Change.QueuePut(queue(QUEUE)));
    memory.failNextCommit(Fault.FAILED);

    assertThatThrownBy(() -> memory.commit(batch)).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(() -> memory.commit(batch)).isInstanceOf(StoreFailedException.class);
    assertThatThrownBy(memory::lastCommit).isInstanceOf(StoreFailedException.class);

    MemoryStateStore restarted = memory.reopen();
    assertThat(restarted.takeEpoch()).isEqualTo(2);
    assertThat(restarted.load()).isEmpty();
  }

  @Test
  void fencesTheOtherHandle() {
    MemoryStateStore old = new MemoryStateStore(LIMITS);
    long oldEpoch = old.takeEpoch();
    MemoryStateStore leader = old.reopen();
    long newEpoch = leader.takeEpoch();

    assertThatThrownBy(() -> old.commit(batch(oldEpoch, 1, new Change.QueuePut(queue(QUEUE)))))
        .isInstanceOf(FencedException.class);
    leader.commit(batch(newEpoch, 1, new Change.QueuePut(queue(QUEUE))));
    assertThat(old.load()).hasSize(1);
  }
}
