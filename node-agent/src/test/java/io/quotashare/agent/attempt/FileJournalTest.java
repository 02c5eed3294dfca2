package io.quotashare.agent.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.agent.attempt.AttemptJournal.Acknowledged;
import io.quotashare.agent.attempt.AttemptJournal.Entry;
import io.quotashare.agent.attempt.AttemptJournal.Generation;
import io.quotashare.agent.attempt.AttemptJournal.Over;
import io.quotashare.agent.attempt.AttemptJournal.Requested;
import io.quotashare.agent.attempt.AttemptJournal.StartIntent;
import io.quotashare.agent.supervise.FakeSupervisor;
import io.quotashare.proto.agent.v1.AttemptPhase;
import io.quotashare.proto.agent.v1.AttemptStatus;
import io.quotashare.proto.agent.v1.StopReason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileJournalTest {
  private static final AttemptName NAME = AgentFixture.NAME;
  private static final List<Entry> ENTRIES =
      List.of(
          new Generation(3),
          new StartIntent(
              new AttemptSpec(
                  NAME,
                  "s",
                  List.of("GPU-1", "GPU-2"),
                  1,
                  2,
                  List.of("python", "-c", "print(\"ü\\n\")"),
                  60_000,
                  OptionalLong.of(300_000),
                  true,
                  9),
              17),
          new AttemptJournal.Started(NAME, FakeSupervisor.started()),
          new Requested(
              NAME, 4, StopReason.STOP_REASON_DRAIN, Instant.ofEpochMilli(5), true, true, 99),
          new Over(
              NAME,
              AttemptStatus.newBuilder()
                  .setAttempt(NAME.toString())
                  .setVersion(Long.MAX_VALUE)
                  .setPhase(AttemptPhase.ATTEMPT_PHASE_FREE)
                  .setExitCode(0)
                  .setDetail("a \"quoted\"\nline ü")
                  .addQuarantinedUuids("GPU-1")
                  .build()),
          new Acknowledged(NAME));

  @TempDir Path folder;
  private Path file = Path.of("");

  @BeforeEach
  void setUp() {
    file = folder.resolve("journal.log");
  }

  private List<Entry> reload() {
    try (FileJournal journal = new FileJournal(file)) {
      return journal.load();
    }
  }

  private void write(List<Entry> entries) {
    try (FileJournal journal = new FileJournal(file)) {
      journal.load();
      entries.forEach(journal::append);
    }
  }

  @Test
  void shouldReadBackWhatItWrote() {
    write(ENTRIES);
    assertThat(reload()).isEqualTo(ENTRIES);
  }

  @Test
  void shouldBeForTheOwnerAlone() throws Exception {
    write(ENTRIES);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  /** A crash at any byte of the last line loses that line and nothing else. */
  @Test
  void shouldDropALastLineThatWasCutOffAnywhere() throws Exception {
    write(ENTRIES.subList(0, 2));
    long whole = Files.size(file);
    write(List.of(ENTRIES.get(2)));
    byte[] bytes = Files.readAllBytes(file);
    for (int length = (int) whole; length < bytes.length; length++) {
      Files.write(file, java.util.Arrays.copyOf(bytes, length));
      assertThat(reload()).isEqualTo(ENTRIES.subList(0, 2));
      write(List.of(ENTRIES.get(5)));
      assertThat(reload()).containsExactly(ENTRIES.get(0), ENTRIES.get(1), ENTRIES.get(5));
    }
  }

  @Test
  void shouldRefuseDamageAnywhereElseAndNameTheLine() throws Exception {
    write(ENTRIES);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(1, lines.get(1).replace("60000", "60001"));
    Files.write(file, lines);
    assertThatThrownBy(this::reload)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(file + " is damaged in line 2: its checksum does not fit")
        .hasMessageContaining("move the file away and start again");
  }

  @Test
  void shouldSayTheSameInLessSpace() throws Exception {
    write(ENTRIES);
    try (FileJournal journal = new FileJournal(file)) {
      journal.load();
      journal.compact(List.of(ENTRIES.get(0)));
      journal.append(ENTRIES.get(4));
    }
    assertThat(reload()).containsExactly(ENTRIES.get(0), ENTRIES.get(4));
    assertThat(Files.readAllLines(file)).hasSize(2);
  }
}
