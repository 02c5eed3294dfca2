package io.quotashare.agent.nvml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.quotashare.agent.nvml.NvmlUnavailableException.Missing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JnaNvmlLoaderTest {
  @TempDir Path folder;

  @Test
  void namedLibraryIsTheOneThatIsLoaded() throws Exception {
    NvmlApi nvml = StubNvml.in(folder, "devices 3").open();
    assertThat(nvml.deviceCount().get()).isEqualTo(3);
  }

  @Test
  void namedLibraryThatDoesNotExistIsNamedInTheError() {
    Path missing = folder.resolve("libnone.so.1");
    assertThatThrownBy(() -> new JnaNvmlLoader(Optional.of(missing)).open())
        .isInstanceOfSatisfying(
            NvmlUnavailableException.class, e -> assertThat(e.missing()).isEqualTo(Missing.LIBRARY))
        .hasMessageContaining(missing.toString())
        .hasMessageContaining("does not exist");
  }

  @Test
  void fileThatIsNoLibraryIsRefused() throws Exception {
    Path text = Files.writeString(folder.resolve("libnvidia-ml.so.1"), "no library");
    assertThatThrownBy(() -> new JnaNvmlLoader(Optional.of(text)).open())
        .isInstanceOf(NvmlUnavailableException.class)
        .hasMessageContaining(text.toString())
        .hasMessageContaining("install the NVIDIA driver");
  }

  @Test
  void libraryWithoutTheFunctionsOfNvmlIsRefused() throws Exception {
    Path source = Files.writeString(folder.resolve("other.c"), "int other(void) { return 1; }\n");
    Path other = folder.resolve("libother.so");
    StubNvml.compile(other, List.of("-shared", "-fPIC", source.toString()));
    assertThatThrownBy(() -> new JnaNvmlLoader(Optional.of(other)).open())
        .isInstanceOf(NvmlUnavailableException.class)
        .hasMessageContaining("it lacks nvmlInit_v2");
  }

  @Test
  void libraryIsLookedForWhereTheSystemKeepsLibrariesAndWhereWslDoes() {
    assumeThat(Path.of("/dev/nvidiactl")).as("a host with a real driver").doesNotExist();
    assertThatThrownBy(() -> new JnaNvmlLoader(Optional.empty()).open())
        .isInstanceOf(NvmlUnavailableException.class)
        .hasMessageContaining("libnvidia-ml.so.1: ")
        .hasMessageContaining("/usr/lib/wsl/lib/libnvidia-ml.so.1: ");
  }

  @Test
  void closedLibraryIsUnloadedSoThatItsReplacementIsFound() throws Exception {
    StubNvml stub = StubNvml.generation(470, folder, "devices 1");
    NvmlLoader.Session old = stub.loader().open();
    assertThat(old.api().init()).isEqualTo(NvmlReturn.SUCCESS);
    NvmlDevice device = old.api().deviceByIndex(0).get();
    assertThat(old.api().recoveryAction(device).code()).isEqualTo(NvmlReturn.NOT_SUPPORTED);
    old.api().shutdown();
    old.close();

    Files.delete(stub.library());
    StubNvml upgraded = StubNvml.generation(570, folder, "devices 1");
    assertThat(upgraded.library()).isEqualTo(stub.library());
    NvmlApi nvml = upgraded.open();
    assertThat(nvml.recoveryAction(nvml.deviceByIndex(0).get()).get())
        .isEqualTo(RecoveryAction.NONE);
  }
}
