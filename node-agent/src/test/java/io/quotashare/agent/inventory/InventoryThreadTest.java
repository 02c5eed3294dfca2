package io.quotashare.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.multibindings.OptionalBinder;
import com.google.inject.util.Modules;
import io.quotashare.agent.inventory.ScriptedInventory.Library;
import io.quotashare.agent.nvml.FakeNvml;
import io.quotashare.agent.nvml.NvmlLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/** The source as the agent uses it: started, wired, closed. */
class InventoryThreadTest {
  private static final String[] ONE = {"devices 1", "device 0 uuid GPU-a"};

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(Library.class)
  void changesAreToldAndRepetitionsAreNot(Library library) throws Exception {
    List<Inventory> told = new CopyOnWriteArrayList<>();
    try (ScriptedInventory host = ScriptedInventory.of(library, folder, ONE)) {
      assertThat(host.source.current().devices()).isEmpty();
      assertThat(host.source.current().detail()).contains("not been looked at yet");
      host.source.start(told::add);
      await().until(() -> told.size() == 1);
      host.script.config("devices 1", "device 0 uuid GPU-a", "device 0 recovery 1");
      await().until(() -> told.size() == 2);
      host.script.config(ONE);
      await().until(() -> told.size() == 3);
    }
    assertThat(told.get(2)).isEqualTo(told.get(0));
    assertThat(told.get(1).hash()).isNotEqualTo(told.get(0).hash());
    assertThat(told.get(1).startable("GPU-a")).isFalse();
  }

  @Test
  void listenerThatFailsIsToldOfTheNextChange() throws Exception {
    Logger log = (Logger) LoggerFactory.getLogger(NvmlInventorySource.class);
    log.setLevel(Level.OFF);
    List<Inventory> told = new CopyOnWriteArrayList<>();
    try (ScriptedInventory host = ScriptedInventory.of(Library.FAKE, folder, ONE)) {
      host.source.start(
          inventory -> {
            told.add(inventory);
            throw new IllegalStateException("a listener");
          });
      await().until(() -> told.size() == 1);
      host.script.config("devices 0");
      await().until(() -> told.size() == 2);
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void startsOnceAndNotAfterItsEnd() throws Exception {
    try (ScriptedInventory host = ScriptedInventory.of(Library.FAKE, folder, ONE)) {
      host.source.start(inventory -> {});
      assertThatThrownBy(() -> host.source.start(inventory -> {}))
          .isInstanceOf(IllegalStateException.class);
      host.source.close();
      assertThatThrownBy(() -> host.source.start(inventory -> {}))
          .isInstanceOf(IllegalStateException.class);
      assertThat(host.source.occupancy("GPU-a")).isInstanceOf(Occupancy.Unknown.class);
    }
  }

  @ParameterizedTest
  @EnumSource(Library.class)
  void endDoesNotWaitForACallThatHangs(Library library) throws Exception {
    List<Inventory> told = new CopyOnWriteArrayList<>();
    try (ScriptedInventory host =
        ScriptedInventory.impatient(library, folder, "devices 1", "fault device 0 hang")) {
      host.source.start(told::add);
      await().until(() -> !told.isEmpty());
      assertThat(told.get(0).state()).isEqualTo(NvmlState.NVML_STUCK);
      host.source.close();
    }
  }

  @Test
  void moduleTakesTheProcessesOfAttemptsFromWhoeverBindsThem() {
    FakeNvml fake = new FakeNvml("devices 1", "device 0 uuid GPU-a", "device 0 process 111");
    assertThat(firstInventory(fake, KnownProcesses.NONE).startable("GPU-a")).isFalse();
    assertThat(firstInventory(fake, pid -> pid == 111).startable("GPU-a")).isTrue();
  }

  private static Inventory firstInventory(FakeNvml fake, KnownProcesses known) {
    AbstractModule attempts =
        new AbstractModule() {
          @Override
          protected void configure() {
            if (known != KnownProcesses.NONE) {
              OptionalBinder.newOptionalBinder(binder(), KnownProcesses.class)
                  .setBinding()
                  .toInstance(known);
            }
          }
        };
    AbstractModule library =
        new AbstractModule() {
          @Override
          protected void configure() {
            bind(NvmlLoader.class).toInstance(fake.loader());
          }
        };
    List<Inventory> told = new CopyOnWriteArrayList<>();
    try (InventorySource source =
        Guice.createInjector(
                Modules.override(new InventoryModule(ScriptedInventory.SETTINGS)).with(library),
                attempts)
            .getInstance(InventorySource.class)) {
      source.start(told::add);
      await().until(() -> !told.isEmpty());
    }
    return told.get(0);
  }
}
