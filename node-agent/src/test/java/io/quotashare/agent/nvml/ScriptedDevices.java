package io.quotashare.agent.nvml;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a script says of a host, for {@link FakeNvml}: the statements that say what devices there
 * are and what fails.
 */
final class ScriptedDevices {
  String driver = "570.00";
  final List<Device> all = new ArrayList<>();
  private List<Integer> order = new ArrayList<>();
  final List<Fault> faults = new ArrayList<>();

  /** One GPU, or one MIG instance. */
  static final class Device {
    final int number;
    String uuid;
    String name = "NVIDIA H100 80GB HBM3 (stand-in)";
    String busId;
    int pciId = 0x233010de;
    int minor;
    long memoryMib = 81559;
    long usedMib = 16;
    long recovery;
    boolean hidden;
    boolean mig;
    boolean migPending;
    boolean remapPending;
    boolean remapFailed;
    final Map<String, List<Integer>> pids = new HashMap<>();
    final Map<Integer, Device> instances = new TreeMap<>();
    long processMib;

    Device(int number, String uuid) {
      this.number = number;
      this.uuid = uuid;
      busId = String.format("00000000:%02X:00.0", number + 1);
      minor = number;
    }

    void process(String kind, String[] words, int at) {
      pids.computeIfAbsent(kind, k -> new ArrayList<>()).add(Integer.valueOf(words[at]));
      processMib += words.length > at + 1 ? Long.parseLong(words[at + 1]) : 1024;
    }
  }

  /** A statement "fault". */
  static final class Fault {
    String function = "";
    int device = -1;
    int after;
    int rc;
    boolean hang;
    int calls;
  }

  ScriptedDevices(String... lines) {
    for (String line : lines) {
      String statement = line.replaceAll("#.*", "").strip();
      if (!statement.isEmpty()) {
        statement(statement.split("\\s+"));
      }
    }
  }

  /** The GPUs that are listed, in their order. */
  List<Device> listed() {
    return order.stream().map(all::get).filter(device -> !device.hidden).toList();
  }

  private void statement(String[] words) {
    switch (words[0]) {
      case "driver" -> driver = words[1];
      case "devices" -> {
        for (int i = 0; i < Integer.parseInt(words[1]); i++) {
          all.add(new Device(i, "GPU-" + i));
          order.add(i);
        }
      }
      case "order" -> order = Arrays.stream(words).skip(1).map(Integer::valueOf).toList();
      case "device" -> device(all.get(Integer.parseInt(words[1])), words);
      case "fault" -> fault(words);
      default -> throw new IllegalArgumentException(String.join(" ", words));
    }
  }

  private static void device(Device device, String[] words) {
    switch (words[2]) {
      case "uuid" -> device.uuid = words[3];
      case "name" -> device.name = String.join(" ", Arrays.asList(words).subList(3, words.length));
      case "pci_id" -> device.pciId = Integer.parseUnsignedInt(words[3], 16);
      case "bus_id" -> device.busId = words[3];
      case "minor" -> device.minor = Integer.parseInt(words[3]);
      case "memory_mib" -> device.memoryMib = Long.parseLong(words[3]);
      case "used_mib" -> device.usedMib = Long.parseLong(words[3]);
      case "process", "graphics_process", "mps_process" -> device.process(words[2], words, 3);
      case "mig" -> mig(device, words);
      case "mig_process" ->
          device.instances.get(Integer.valueOf(words[3])).process("process", words, 4);
      case "mig_pending" -> device.migPending = words[3].equals("on");
      case "recovery" -> device.recovery = Long.parseLong(words[3]);
      case "remapped" -> {
        device.remapPending |= words[3].equals("pending");
        device.remapFailed |= words[3].equals("failed");
      }
      case "hidden" -> device.hidden = true;
      default -> throw new IllegalArgumentException(String.join(" ", words));
    }
  }

  private static void mig(Device device, String[] words) {
    device.mig = true;
    device.migPending = true;
    for (int i = 3; i < words.length && !words[i].equals("none"); i++) {
      int place = Integer.parseInt(words[i].substring(0, words[i].indexOf(':')));
      String profile = words[i].substring(words[i].indexOf(':') + 1);
      Device instance = new Device(device.number, "MIG-" + device.number + "-" + place);
      instance.name = device.name + " MIG " + profile;
      String gigabytes = profile.substring(profile.indexOf('.') + 1, profile.length() - 2);
      instance.memoryMib = Long.parseLong(gigabytes) * 9728 / 10;
      instance.usedMib = 8;
      device.instances.put(place, instance);
    }
  }

  private void fault(String[] words) {
    Fault fault = new Fault();
    for (int i = 1; i < words.length; i++) {
      switch (words[i]) {
        case "hang" -> fault.hang = true;
        case "function" -> fault.function = words[++i];
        case "device" -> fault.device = Integer.parseInt(words[++i]);
        case "after" -> fault.after = Integer.parseInt(words[++i]);
        case "rc" -> fault.rc = Integer.parseInt(words[++i]);
        default -> throw new IllegalArgumentException(String.join(" ", words));
      }
    }
    faults.add(fault);
  }
}
