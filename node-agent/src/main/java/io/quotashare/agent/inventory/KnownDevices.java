package io.quotashare.agent.inventory;

import static java.util.Objects.requireNonNull;

import io.quotashare.agent.nvml.NvmlReturn;
import io.quotashare.agent.nvml.NvmlReturn.Meaning;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Every device that this agent has seen, by UUID, and what it knows of each. A device is compared
 * with what was seen before, not only with what the driver says now: a GPU may vanish from the
 * driver's list without any error.
 *
 * <p>Changed by the thread that sweeps; {@link #gpuOf} and {@link #idleBaselineBytes} may be asked
 * by any thread.
 */
final class KnownDevices {
  /**
   * After so many looks in a row that end in an error which nobody can explain, the device counts
   * as unhealthy.
   */
  static final int STRIKES_MAX = 3;

  private final ForeignProcesses foreign;
  private final Map<String, Known> byUuid = new ConcurrentHashMap<>();

  KnownDevices(ForeignProcesses foreign) {
    this.foreign = requireNonNull(foreign, "foreign is null");
  }

  /**
   * What is remembered of a device.
   *
   * @param gpuUuid UUID of its GPU; its own if it is no MIG instance
   * @param strikes looks in a row that ended in an error which nobody can explain
   * @param idleBytes least memory in use while no process was listed
   */
  private record Known(GpuDevice device, String gpuUuid, int strikes, OptionalLong idleBytes) {
    Known unhealthy(String detail) {
      return new Known(with(device, detail, device.outside()), gpuUuid, strikes, idleBytes);
    }

    Known strike() {
      return new Known(device, gpuUuid, strikes + 1, idleBytes);
    }
  }

  /**
   * Takes in what a look has found.
   *
   * @return what an operator should know, in words
   */
  List<String> apply(List<DeviceReading> readings) {
    List<String> warnings = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (DeviceReading reading : readings) {
      if (reading instanceof DeviceReading.Found found) {
        found.devices().forEach(entry -> seen.add(entry.device().uuid()));
        take(found);
        found.warning().ifPresent(warnings::add);
      }
    }
    // Their GPUs answered, but not for these: they are kept, and explained by the GPU, not by a
    // loss.
    readings.forEach(reading -> keepUnread(reading, seen));
    for (DeviceReading reading : readings) {
      if (reading instanceof DeviceReading.Unreadable unreadable) {
        warnings.addAll(unreadable(unreadable, seen));
      }
    }
    byUuid.replaceAll(
        (uuid, known) -> seen.contains(uuid) ? known : known.unhealthy(DeviceHealth.NOT_LISTED));
    return warnings;
  }

  private void take(DeviceReading.Found found) {
    for (DeviceReading.Entry entry : found.devices()) {
      byUuid.compute(
          entry.device().uuid(),
          (uuid, before) -> {
            boolean outside =
                entry.occupancy() instanceof Occupancy.Known occupancy
                    ? foreign.outside(uuid, occupancy.pids())
                    : before != null && before.device().outside();
            GpuDevice now =
                before == null ? entry.device() : complete(entry.device(), before.device());
            GpuDevice device = with(now, now.healthDetail(), outside);
            return new Known(device, found.gpuUuid(), 0, idleBytes(before, entry.occupancy()));
          });
    }
  }

  /**
   * A GPU that was read to the end has no other devices than these: the rest are instances that
   * were destroyed.
   */
  private void keepUnread(DeviceReading reading, Set<String> seen) {
    if (!(reading instanceof DeviceReading.Found found)) {
      return;
    }
    for (Map.Entry<String, Known> entry : List.copyOf(byUuid.entrySet())) {
      Known known = entry.getValue();
      if (!known.gpuUuid().equals(found.gpuUuid()) || seen.contains(entry.getKey())) {
        continue;
      }
      if (found.complete()) {
        byUuid.remove(entry.getKey());
        foreign.forget(entry.getKey());
      } else {
        seen.add(entry.getKey());
        byUuid.put(
            entry.getKey(),
            known.unhealthy("UNKNOWN: its GPU answers, but does not tell of its MIG instances"));
      }
    }
  }

  /**
   * Without its UUID a GPU is known by its index, which holds as long as the driver lists as many.
   */
  private List<String> unreadable(DeviceReading.Unreadable reading, Set<String> seen) {
    boolean known = false;
    for (Map.Entry<String, Known> entry : List.copyOf(byUuid.entrySet())) {
      Known before = entry.getValue();
      if (before.device().index() == reading.index() && seen.add(entry.getKey())) {
        known = true;
        byUuid.put(entry.getKey(), judge(before, reading.code()));
      }
    }
    return known
        ? List.of()
        : List.of(
            "the GPU at index "
                + reading.index()
                + " is left out, since its UUID cannot be read: "
                + DeviceHealth.unreadable(reading.code()));
  }

  private static Known judge(Known before, NvmlReturn code) {
    boolean mayPass = code.meaning() == Meaning.TRANSIENT || code.meaning() == Meaning.UNEXPLAINED;
    Known struck = before.strike();
    return mayPass && struck.strikes() < STRIKES_MAX
        ? struck
        : struck.unhealthy(DeviceHealth.unreadable(code));
  }

  private static OptionalLong idleBytes(@Nullable Known before, Occupancy occupancy) {
    OptionalLong least = before == null ? OptionalLong.empty() : before.idleBytes();
    if (occupancy instanceof Occupancy.Known now
        && now.pids().isEmpty()
        && now.usedMemoryBytes().isPresent()) {
      long used = now.usedMemoryBytes().getAsLong();
      return OptionalLong.of(Math.min(used, least.orElse(used)));
    }
    return least;
  }

  /** The devices. */
  List<GpuDevice> devices() {
    return byUuid.values().stream().map(Known::device).toList();
  }

  /** The devices while the library cannot be used: none can take an attempt. */
  List<GpuDevice> devicesWhile(NvmlState unusable) {
    return devices().stream()
        .map(
            device ->
                device.healthy()
                    ? with(device, DeviceHealth.whileUnusable(unusable), device.outside())
                    : device)
        .toList();
  }

  /** UUID of the GPU of a device; empty if the device is not known. */
  Optional<String> gpuOf(String uuid) {
    return Optional.ofNullable(byUuid.get(uuid)).map(Known::gpuUuid);
  }

  /** Least memory in use while no process was listed; empty if that was never seen. */
  OptionalLong idleBaselineBytes(String uuid) {
    Known known = byUuid.get(uuid);
    return known == null ? OptionalLong.empty() : known.idleBytes();
  }

  /**
   * What a failing GPU does not tell any more is as it was: above all its unit, by which it is
   * counted.
   */
  private static GpuDevice complete(GpuDevice now, GpuDevice before) {
    boolean named = !now.pciBusId().isEmpty() && !now.model().isEmpty();
    return new GpuDevice(
        now.uuid(),
        now.index(),
        named ? now.unit() : before.unit(),
        now.model().isEmpty() ? before.model() : now.model(),
        now.memoryBytes() == 0 ? before.memoryBytes() : now.memoryBytes(),
        now.healthy(),
        now.healthDetail(),
        now.outside(),
        now.pciBusId().isEmpty() ? before.pciBusId() : now.pciBusId(),
        now.minorNumber() < 0 ? before.minorNumber() : now.minorNumber());
  }

  private static GpuDevice with(GpuDevice device, String healthDetail, boolean outside) {
    return new GpuDevice(
        device.uuid(),
        device.index(),
        device.unit(),
        device.model(),
        device.memoryBytes(),
        healthDetail.isEmpty(),
        healthDetail,
        outside,
        device.pciBusId(),
        device.minorNumber());
  }
}
