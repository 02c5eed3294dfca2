package io.quotashare.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.core.Change;
import io.quotashare.core.model.AdminState;
import io.quotashare.core.model.Attempt;
import io.quotashare.core.model.Checkpoint;
import io.quotashare.core.model.Hold;
import io.quotashare.core.model.JobKey;
import io.quotashare.core.model.Limit;
import io.quotashare.core.model.Ordering;
import io.quotashare.core.model.PoolKey;
import io.quotashare.core.model.PreemptionMode;
import io.quotashare.core.model.Queue;
import io.quotashare.core.model.QuotaShare;
import io.quotashare.core.model.SaveRequest;
import io.quotashare.core.model.ShareKey;
import io.quotashare.core.model.Strategy;
import io.quotashare.server.store.RowCodec.MalformedRowException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowCodecTest {
  private static final String HOLD =
      "{\"job\":{\"queue\":\"q\",\"id\":\"j\"},\"pool\":{\"queue\":\"q\",\"unit\":\"H100\"},"
          + "\"places\":{\"a\":1,\"b\":2}}";

  /** An attempt as the first version wrote it. */
  private static final String ATTEMPT =
      "{\"key\":{\"job\":{\"queue\":\"research\",\"id\":\"j-running\"},\"number\":1},"
          + "\"share\":{\"queue\":\"research\",\"share\":\"vision\"},\"unit\":\"H100\","
          + "\"parts\":[{\"rank\":0,\"node\":\"n1\",\"devices\":[\"GPU-n1-0\",\"GPU-n1-1\"],"
          + "\"phase\":\"ASSIGNED\",\"reportVersion\":0,\"exitCode\":null,\"exitSignal\":null,"
          + "\"exitedBeforeStop\":false,\"exitedAtMillis\":null,\"freedAtMillis\":null,\"detail\":\"\"}],"
          + "\"state\":\"SCHEDULED\",\"scheduledAtMillis\":2000,\"runningAtMillis\":null,"
          + "\"progress\":{\"step\":null,\"productiveSinceMillis\":null,\"checkpoint\":null,"
          + "\"ackSeq\":0,\"done\":false},\"stop\":null,\"requests\":0,\"endedAtMillis\":null,"
          + "\"outcome\":null,\"endReason\":\"\",\"lostDeviceMillis\":0,\"resumes\":false}";

  @Provide
  Arbitrary<Change> anyPut() {
    return RowArbitraries.puts();
  }

  @Property(tries = 2000, edgeCases = EdgeCasesMode.NONE)
  void everyRowIsReadAsItWasWritten(@ForAll("anyPut") Change put) throws Exception {
    RowWrite<?> write = Entities.writeOf(put);
    Object row = write.row();
    assertThat(row).isNotNull();

    String text = RowCodec.encode(row);

    assertThat(RowCodec.decode(text, write.entity().rowType())).isEqualTo(row);
    assertThat(RowCodec.encode(row)).isEqualTo(text);
  }

  @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
  void everyRowHasTheKeyAndTheColumnsOfItsKind(@ForAll("anyPut") Change put) {
    RowWrite<?> write = Entities.writeOf(put);

    assertThat(write.key().values()).hasSize(write.entity().keyColumns()).doesNotContainNull();
    assertThat(columnsOf(write)).hasSize(write.entity().columns().size());
  }

  private static <T> Iterable<?> columnsOf(RowWrite<T> write) {
    T row = write.row();
    return row == null ? List.of() : write.entity().valuesOf(row);
  }

  /** Stored rows outlive the program: this form must not change without a migration. */
  @Test
  void theFormIsTheOneThatIsStored() {
    assertThat(
            RowCodec.encode(
                new Hold(
                    new JobKey("q", "j"),
                    new PoolKey("q", "H100"),
                    new TreeMap<>(Map.of("b", 2, "a", 1)))))
        .isEqualTo(HOLD);
    assertThat(
            RowCodec.encode(
                new QuotaShare(
                    new ShareKey("q", "s"),
                    new TreeMap<>(Map.of("H100", 8)),
                    Strategy.LEND,
                    new Limit.Percent(-1),
                    new Limit.Devices(new TreeMap<>(Map.of("H100", 4))),
                    true,
                    Ordering.STRICT,
                    1,
                    0,
                    AdminState.ENABLED)))
        .isEqualTo(
            "{\"key\":{\"queue\":\"q\",\"share\":\"s\"},\"capacity\":{\"H100\":8},"
                + "\"strategy\":\"LEND\",\"borrowLimit\":{\"type\":\"percent\",\"percent\":-1},"
                + "\"lendLimit\":{\"type\":\"devices\",\"byUnit\":{\"H100\":4}},"
                + "\"inSharePreemption\":true,\"ordering\":\"STRICT\",\"weight\":1,"
                + "\"minRuntimeMillis\":0,\"state\":\"ENABLED\"}");
    assertThat(RowCodec.encode(new Checkpoint(OptionalLong.empty(), 1, 2)))
        .isEqualTo("{\"step\":null,\"stateAtMillis\":1,\"durableAtMillis\":2}");
  }

  /** As the release without observe-only wrote it. */
  private static final String OLD_QUEUE =
      "{\"name\":\"q\",\"state\":\"ENABLED\",\"nodeSelector\":{},\"idleAssignment\":\"FIFO\","
          + "\"unassigned\":\"BORROWABLE\",\"maxGraceMillis\":1,\"lostWorkCapMillis\":2,"
          + "\"restartCostMillis\":3,\"stateTimeLimits\":[]}";

  @Test
  void aQueueOfAnEarlierReleaseEnforces() throws Exception {
    Queue queue = RowCodec.decode(OLD_QUEUE, Queue.class);

    assertThat(queue.preemptionMode()).isEqualTo(PreemptionMode.ENFORCE);
    assertThat(RowCodec.encode(queue))
        .isEqualTo(
            OLD_QUEUE.substring(0, OLD_QUEUE.length() - 1) + ",\"preemptionMode\":\"ENFORCE\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\"name\": \"q\"", "\"name\":\"q\",\"more\":1", "\"name\":\"q\",\"name\":\"q\""})
  void aRowOfAnEarlierReleaseIsReadAsStrictly(String instead) {
    String damaged = OLD_QUEUE.replace("\"name\":\"q\"", instead);

    assertThatThrownBy(() -> RowCodec.decode(damaged, Queue.class))
        .isInstanceOf(RowCodec.MalformedRowException.class);
  }

  @Test
  void attemptOfBeforeThereWereRequestsToSaveIsRead() throws Exception {
    Attempt attempt =
        SampleState.attempt(SampleState.job(SampleState.RUNNING, "vision", 0), 1, "n1", 0);

    assertThat(RowCodec.decode(ATTEMPT, Attempt.class)).isEqualTo(attempt);
    assertThat(RowCodec.encode(attempt))
        .isEqualTo(ATTEMPT.replaceFirst("(\"requests\":[0-9]+)", "$1,\"saveRequest\":null"));
  }

  @Test
  void requestToSaveIsStored() throws Exception {
    Attempt asked =
        SampleState.attempt(SampleState.job(SampleState.RUNNING, "vision", 0), 1, "n1", 0)
            .change()
            .saveRequest(new SaveRequest(7, 1_000))
            .build();

    String text = RowCodec.encode(asked);

    assertThat(text)
        .contains("\"requests\":7,\"saveRequest\":{\"seq\":7,\"requestedAtMillis\":1000},");
    assertThat(RowCodec.decode(text, Attempt.class)).isEqualTo(asked);
  }

  @Test
  void takesTheFormThatIsStored() throws Exception {
    assertThat(RowCodec.decode(HOLD, Hold.class).places()).containsEntry("a", 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{}",
        "{\"job\":{\"queue\":\"q\",\"id\":\"j\"},\"pool\":{\"queue\":\"q\",\"unit\":\"u\"}}",
        "{\"job\":null,\"pool\":{\"queue\":\"q\",\"unit\":\"u\"},\"places\":{}}",
        "{\"job\":{\"queue\":\"q\",\"id\":\"j\"},\"pool\":{\"queue\":\"q\",\"unit\":\"u\"},"
            + "\"places\":{},\"more\":1}",
        "{\"job\":{\"queue\":\"q\",\"id\":\"j\"},\"pool\":{\"queue\":\"q\",\"unit\":\"u\"},"
            + "\"places\":{\"a\":1,\"a\":2}}",
        "{\"job\":{\"queue\":\"q\",\"id\":\"j\"},\"pool\":{\"queue\":\"q\",\"unit\":\"u\"},"
            + "\"places\":{\"b\":1,\"a\":2}}",
        "{\"job\":{\"queue\":\"q\",\"id\":\"j\"},\"pool\":{\"queue\":\"q\",\"unit\":\"u\"},"
            + "\"places\":{\"a\":\"1\"}}",
        "{\"job\":{\"queue\":\"q\",\"id\":\"j\"},\"pool\":{\"queue\":\"q\",\"unit\":\"u\"},"
            + "\"places\":{\"a\":1.0}}",
        "{\"job\":{\"queue\":\"q\",\"id\":\"j\"}, \"pool\":{\"queue\":\"q\",\"unit\":\"u\"},"
            + "\"places\":{}}",
        "{\"pool\":{\"queue\":\"q\",\"unit\":\"u\"},\"job\":{\"queue\":\"q\",\"id\":\"j\"},"
            + "\"places\":{}}",
        "{\"job\":{\"queue\":\"q\",\"id\":\"j\"},\"pool\":{\"queue\":\"q\",\"unit\":\"u\"},"
            + "\"places\":{}}{}"
      })
  void refusesWhatIsNotExactlyARow(String text) {
    assertThatThrownBy(() -> RowCodec.decode(text, Hold.class))
        .isInstanceOf(MalformedRowException.class);
  }

  @Test
  void namesTheFieldThatIsWrong() {
    assertThatThrownBy(
            () ->
                RowCodec.decode(
                    "{\"step\":null,\"stateAtMillis\":\"x\",\"durableAtMillis\":2}",
                    Checkpoint.class))
        .isInstanceOf(MalformedRowException.class)
        .hasMessageContaining("stateAtMillis");
    assertThatThrownBy(
            () -> RowCodec.decode("{\"step\":null,\"stateAtMillis\":1}", Checkpoint.class))
        .hasMessageContaining("durableAtMillis");
  }

  @Test
  void refusesTextThatIsNotUnicode() {
    assertThatThrownBy(() -> RowCodec.encode(new JobKey("q", "\ud83d")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
