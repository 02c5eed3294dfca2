package io.quotashare.agent.attempt;

import static io.quotashare.agent.attempt.AgentFixture.NAME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DiskRunFoldersTest {
  private static final AttemptSpec SPEC =
      new AttemptSpec(
          NAME, "s", List.of("GPU-1"), 0, 1, List.of("x"), 1, OptionalLong.empty(), false, 7);

  @TempDir Path folder;
  private DiskRunFolders folders =
      new DiskRunFolders(Path.of("target/unused/a"), Path.of("target/unused/c"));
  private Path runDir = Path.of("");

  @BeforeEach
  void setUp() {
    folders = new DiskRunFolders(folder.resolve("attempts"), folder.resolve("ckpt"));
    folders.create(SPEC);
    runDir = folders.of(NAME);
  }

  @Test
  void shouldMakeAFolderForTheOwnerAloneWithItsSpec() throws Exception {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(runDir)))
        .isEqualTo("rwx------");
    assertThat(folders.readSpec(NAME)).contains(SPEC);
    assertThat(folders.exists(NAME)).isTrue();
    assertThat(Files.isDirectory(folders.workDir(NAME))).isTrue();
    assertThat(folders.checkpointDir(NAME)).isEqualTo(folder.resolve("ckpt/q/j")).isDirectory();
    assertThat(folders.list()).containsExactly(NAME);
  }

  @Test
  void shouldNotUseAFolderTwice() {
    assertThatThrownBy(() -> folders.create(SPEC)).hasMessageContaining("FileAlreadyExists");
  }

  @Test
  void shouldReplaceTheRequestAsAWhole() throws Exception {
    folders.writeControl(NAME, new ControlRequest(1, "admin", Optional.empty()));
    folders.writeControl(
        NAME, new ControlRequest(2, "reclaim", Optional.of(Instant.ofEpochMilli(1_500))));
    assertThat(Files.readString(runDir.resolve("ctl")))
        .isEqualTo(
            "{\"seq\":2,\"op\":\"checkpoint_and_stop\",\"reason\":\"reclaim\",\"deadline_unix\":1.500}\n");
    try (var files = Files.list(runDir)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("ctl", "spec.json", "work");
    }
  }

  @Test
  void shouldReadTheProgressFile() throws Exception {
    assertThat(folders.readProgress(NAME)).isEmpty();
    Files.writeString(runDir.resolve("progress"), "{}");
    assertThat(folders.readProgress(NAME).map(b -> new String(b, StandardCharsets.UTF_8)))
        .contains("{}");
  }

  @Test
  void shouldNotFollowALink() throws Exception {
    Path secret = Files.writeString(folder.resolve("secret"), "{}");
    Files.createSymbolicLink(runDir.resolve("progress"), secret);
    assertThatThrownBy(() -> folders.readProgress(NAME))
        .isInstanceOf(ProgressRefusedException.class)
        .hasMessageContaining("Too many levels of symbolic links");
  }

  @Test
  @Timeout(10)
  void shouldNotWaitForAPipe() throws Exception {
    new ProcessBuilder("mkfifo", runDir.resolve("progress").toString()).start().waitFor();
    assertThat(folders.readProgress(NAME).map(b -> b.length)).contains(0);
  }

  @Test
  void shouldNotReadAFolderOrAHugeFile() throws Exception {
    Files.createDirectory(runDir.resolve("progress"));
    assertThatThrownBy(() -> folders.readProgress(NAME)).hasMessageContaining("Is a directory");
    Files.delete(runDir.resolve("progress"));
    Files.write(runDir.resolve("progress"), new byte[ProgressParser.BYTES_MAX]);
    assertThat(folders.readProgress(NAME)).isPresent();
    Files.write(runDir.resolve("progress"), new byte[ProgressParser.BYTES_MAX + 1]);
    assertThatThrownBy(() -> folders.readProgress(NAME))
        .hasMessageContaining("larger than 65536 bytes");
  }

  @Test
  void shouldBelieveOnlyCheckpointsThatReallyLieInTheFolder() throws Exception {
    Path checkpoints = folders.checkpointDir(NAME);
    Path real = Files.writeString(checkpoints.resolve("real"), "x");
    Files.setLastModifiedTime(real, FileTime.fromMillis(5_000));
    Path outside = Files.writeString(folder.resolve("outside"), "x");
    Files.createSymbolicLink(checkpoints.resolve("link"), outside);

    assertThat(folders.checkpointModifiedAt(NAME, real)).contains(Instant.ofEpochSecond(5));
    assertThat(folders.checkpointModifiedAt(NAME, checkpoints.resolve("link"))).isEmpty();
    assertThat(folders.checkpointModifiedAt(NAME, checkpoints.resolve("none"))).isEmpty();
  }

  @Test
  void shouldRemoveTheFolderAndNothingThatALinkInItPointsAt() throws Exception {
    Path precious = Files.writeString(folder.resolve("precious"), "x");
    Files.createSymbolicLink(runDir.resolve("work/link"), precious);
    Files.createSymbolicLink(runDir.resolve("work/up"), folder);
    Files.writeString(runDir.resolve("out.log"), "12345");
    assertThat(folders.outputBytes(NAME)).isEqualTo(5);

    folders.remove(NAME);
    folders.remove(NAME);

    assertThat(runDir).doesNotExist();
    assertThat(precious).exists();
    assertThat(folders.checkpointDir(NAME)).exists();
  }

  @Test
  void shouldOverlookWhatIsNoRunFolder() throws Exception {
    Files.createDirectory(folder.resolve("attempts/lost+found"));
    Files.createDirectory(folder.resolve("attempts/a.b.x"));
    assertThat(folders.list()).containsExactly(NAME);
  }

  @Test
  void shouldGiveNoSpecWhereItIsDamaged() throws Exception {
    Files.writeString(runDir.resolve("spec.json"), "{");
    assertThat(folders.readSpec(NAME)).isEmpty();
    Files.writeString(runDir.resolve("spec.json"), "{}");
    assertThat(folders.readSpec(NAME)).isEmpty();
  }
}
