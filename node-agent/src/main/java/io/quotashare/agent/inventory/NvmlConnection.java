package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.nvml.NvmlApi;
import io.quotashare.agent.nvml.NvmlBusyException;
import io.quotashare.agent.nvml.NvmlDevice;
import io.quotashare.agent.nvml.NvmlLoader;
import io.quotashare.agent.nvml.NvmlResult;
import io.quotashare.agent.nvml.NvmlReturn;
import io.quotashare.agent.nvml.NvmlReturn.Meaning;
import io.quotashare.agent.nvml.NvmlStuckException;
import io.quotashare.agent.nvml.NvmlThread;
import io.quotashare.agent.nvml.NvmlUnavailableException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The device library: opened when it is first needed, and opened anew whenever it was found
 * unusable, so that a driver that was installed, loaded or upgraded meanwhile is found without a
 * restart of the agent.
 *
 * <p>It is opened, asked and closed on the {@link NvmlThread} alone.
 */
final class NvmlConnection implements AutoCloseable {
  private static final Unusable NOT_INITIALIZED =
      new Unusable(NvmlState.NVML_FAILED, "the NVIDIA library has ceased to be initialised");

  private final NvmlThread thread = new NvmlThread();
  private final NvmlLoader loader;
  private final InventorySettings settings;
  private final UnitTable units;
  private final HostEvidence host;

  /** Written on the NVML thread alone. */
  private volatile NvmlLoader.@Nullable Session session;

  NvmlConnection(
      NvmlLoader loader, InventorySettings settings, UnitTable units, HostEvidence host) {
    this.loader = requireNonNull(loader, "loader is null");
    this.settings = requireNonNull(settings, "settings is null");
    this.units = requireNonNull(units, "units is null");
    this.host = requireNonNull(host, "host is null");
  }

  /** What a look at the devices came to. */
  sealed interface Look {
    /** The library works and lists at least one GPU. */
    record Devices(Sweep.Listed sweep) implements Look {}

    /** It does not, or lists none. */
    record None(Unusable why) implements Look {}
  }

  /**
   * Looks at all GPUs.
   *
   * @throws NvmlStuckException if a call does not return
   * @throws NvmlBusyException if the caller was interrupted
   */
  Look look() {
    // A library that says that it is not initialised was reset under us: once more, from the start.
    Look first = lookOnce();
    boolean again = first instanceof Look.None none && none.why().equals(NOT_INITIALIZED);
    return again ? lookOnce() : first;
  }

  private Look lookOnce() {
    if (session == null) {
      Optional<Unusable> failure = thread.call("nvmlInit", settings.initDeadline(), this::open);
      if (failure.isPresent()) {
        return new Look.None(failure.get());
      }
    }
    NvmlApi api =
        thread.guard(requireNonNull(session, "session is null").api(), settings.callDeadline());
    Sweep sweep = Sweep.run(api, units);
    if (sweep instanceof Sweep.Listed listed && !listed.readings().isEmpty()) {
      return new Look.Devices(listed);
    }
    Unusable why =
        sweep instanceof Sweep.Failed failed ? why(failed.code(), api) : Unusable.noDevices(host);
    thread.call("nvmlShutdown", settings.callDeadline(), this::shut);
    return new Look.None(why);
  }

  private Unusable why(NvmlReturn code, NvmlApi api) {
    return code.meaning() == Meaning.REINITIALIZE
        ? NOT_INITIALIZED
        : Unusable.of(code, api.libraryVersion().optional().orElse(""), host);
  }

  /**
   * Empty if it is open then. A call that comes back late leaves it open all the same, and the next
   * look finds it so.
   */
  private Optional<Unusable> open() {
    NvmlLoader.Session opened;
    try {
      opened = loader.open();
    } catch (NvmlUnavailableException e) {
      return Optional.of(Unusable.of(e, host));
    }
    NvmlReturn code = opened.api().init();
    if (code == NvmlReturn.SUCCESS) {
      session = opened;
      return Optional.empty();
    }
    String version = opened.api().libraryVersion().optional().orElse("");
    opened.close();
    return Optional.of(Unusable.of(code, version, host));
  }

  private boolean shut() {
    NvmlLoader.Session open = session;
    session = null;
    if (open != null) {
      open.api().shutdown();
      open.close();
    }
    return true;
  }

  /**
   * Asks what occupies a device.
   *
   * @param gpuUuid UUID of its GPU
   */
  Occupancy occupancy(String uuid, String gpuUuid) {
    try {
      return thread.call("occupancy", settings.callDeadline(), () -> read(uuid, gpuUuid));
    } catch (NvmlStuckException | NvmlBusyException e) {
      return new Occupancy.Unknown(String.valueOf(e.getMessage()));
    }
  }

  private Occupancy read(String uuid, String gpuUuid) {
    NvmlLoader.Session open = session;
    if (open == null) {
      return new Occupancy.Unknown("the device library cannot be used");
    }
    NvmlResult<NvmlDevice> device = open.api().deviceByUuid(uuid);
    NvmlResult<NvmlDevice> gpu = uuid.equals(gpuUuid) ? device : open.api().deviceByUuid(gpuUuid);
    if (!device.ok() || !gpu.ok()) {
      NvmlReturn code = device.ok() ? gpu.code() : device.code();
      return new Occupancy.Unknown("the device " + uuid + " cannot be reached: " + code.text());
    }
    return OccupancyReader.read(open.api(), device.get(), gpu.get());
  }

  /**
   * Lets the library go; one that is stuck is left as it is. Waits at most as long as a call may
   * take.
   */
  @Override
  public void close() {
    try {
      thread.call("nvmlShutdown", closeDeadline(), this::shut);
    } catch (NvmlStuckException | NvmlBusyException e) {
      // The process is about to end, and the driver cleans up after it.
    } finally {
      thread.close();
    }
  }

  private Duration closeDeadline() {
    Duration second = Duration.ofSeconds(1);
    return settings.callDeadline().compareTo(second) < 0 ? settings.callDeadline() : second;
  }
}
