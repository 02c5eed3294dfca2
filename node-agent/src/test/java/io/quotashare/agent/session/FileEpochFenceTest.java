package io.quotashare.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileEpochFenceTest {
  @TempDir Path folder;

  @Test
  void shouldRememberOverARestart() {
    Path file = folder.resolve("epoch");
    FileEpochFence fence = new FileEpochFence(file);
    assertThat(fence.highest()).isZero();
    fence.raise(7);
    fence.raise(7);
    assertThat(fence.highest()).isEqualTo(7);
    assertThat(new FileEpochFence(file).highest()).isEqualTo(7);
    assertThatThrownBy(() -> fence.raise(6)).hasMessage("epoch: 6 (expected: >= 7)");
  }

  @Test
  void shouldNotGuessWhatADamagedFileSaid() throws Exception {
    Path file = Files.writeString(folder.resolve("epoch"), "seven");
    assertThatThrownBy(() -> new FileEpochFence(file))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("does not hold the epoch of a scheduler");
  }

  @Test
  void shouldKeepTheOldEpochWhenTheNewOneCannotBeWritten() throws Exception {
    Path file = folder.resolve("gone/epoch");
    Files.createDirectory(file.getParent());
    FileEpochFence fence = new FileEpochFence(file);
    fence.raise(2);
    Files.delete(file);
    Files.delete(file.getParent());
    assertThatThrownBy(() -> fence.raise(3)).hasMessageContaining("cannot write");
    assertThat(fence.highest()).isEqualTo(2);
  }
}
