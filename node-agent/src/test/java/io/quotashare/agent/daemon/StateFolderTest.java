package io.quotashare.agent.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
  @TempDir Path folder;

  @Test
  void shouldMakeItForTheOwnerAlone() throws Exception {
    Path path = folder.resolve("a/b");
    try (StateFolder state = StateFolder.take(path)) {
      assertThat(state.path()).isEqualTo(path);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void shouldBeUsedByOneAtATime() throws Exception {
    try (StateFolder first = StateFolder.take(folder)) {
      assertThatThrownBy(() -> StateFolder.take(first.path()))
          .isInstanceOf(StartException.class)
          .hasMessageContaining("is in use by another agent")
          .hasMessageContaining("--state");
    }
    StateFolder.take(folder).close();
  }

  @Test
  void shouldSayWhyItCannotBeUsed() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> StateFolder.take(file))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("state folder " + file + " cannot be used");
  }
}
