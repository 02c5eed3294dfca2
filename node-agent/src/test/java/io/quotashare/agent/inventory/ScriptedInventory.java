package io.quotashare.agent.inventory;

import io.quotashare.agent.nvml.FakeNvml;
import io.quotashare.agent.nvml.NvmlLoader;
import io.quotashare.agent.nvml.NvmlScript;
import io.quotashare.agent.nvml.StubNvml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** An inventory over a scripted library, which a test sweeps by hand. */
final class ScriptedInventory implements AutoCloseable {
  /** Where the library is. */
  enum Library {
    /** In memory. */
    FAKE,
    /** In C, behind the binding. */
    STUB
  }

  /** So patient that a busy machine is no hanging call. */
  static final InventorySettings SETTINGS = settings(Duration.ofSeconds(60));

  private static final InventorySettings IMPATIENT = settings(Duration.ofMillis(300));

  final NvmlScript script;
  final NvmlInventorySource source;
  final List<Inventory> published = new ArrayList<>();
  final Set<Integer> attemptPids = ConcurrentHashMap.newKeySet();
  Duration pause = Duration.ZERO;

  private ScriptedInventory(
      NvmlScript script, NvmlLoader loader, InventorySettings settings, Path folder)
      throws IOException {
    this.script = script;
    Path host = Files.createDirectories(folder.resolve("host"));
    source =
        new NvmlInventorySource(settings, loader, attemptPids::contains, new HostEvidence(host));
  }

  private static InventorySettings settings(Duration deadline) {
    return new InventorySettings(
        Optional.empty(),
        Duration.ofMillis(100),
        deadline,
        deadline,
        Duration.ofMillis(1000),
        Map.of());
  }

  /**
   * An inventory over a library of this kind with this script, on a host without any sign of a GPU.
   */
  static ScriptedInventory of(Library library, Path folder, String... lines) throws IOException {
    NvmlScript script = script(library, folder, lines);
    return new ScriptedInventory(script, script.loader(), SETTINGS, folder);
  }

  /**
   * The same for tests of hanging calls: on a busy machine it may take a call for one that hangs,
   * and find it again.
   */
  static ScriptedInventory impatient(Library library, Path folder, String... lines)
      throws IOException {
    NvmlScript script = script(library, folder, lines);
    return new ScriptedInventory(script, script.loader(), IMPATIENT, folder);
  }

  /** The same with a loader of the test's own. */
  static ScriptedInventory of(NvmlScript script, NvmlLoader loader, Path folder)
      throws IOException {
    return new ScriptedInventory(script, loader, SETTINGS, folder);
  }

  private static NvmlScript script(Library library, Path folder, String... lines)
      throws IOException {
    return switch (library) {
      case FAKE -> new FakeNvml(lines);
      case STUB -> StubNvml.in(folder, lines);
    };
  }

  /** Replaces the script, and looks. */
  Inventory sweep(String... lines) {
    script.config(lines);
    return sweep();
  }

  /** Looks. */
  Inventory sweep() {
    pause = source.sweep(published::add);
    return source.current();
  }

  /** The device with this UUID. */
  GpuDevice device(String uuid) {
    return source
        .current()
        .device(uuid)
        .orElseThrow(() -> new AssertionError("no " + uuid + " in " + source.current()));
  }

  @Override
  public void close() {
    script.config("devices 0");
    source.close();
  }
}
