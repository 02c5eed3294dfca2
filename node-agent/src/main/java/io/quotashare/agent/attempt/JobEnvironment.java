package io.quotashare.agent.attempt;

import io.quotashare.agent.inventory.GpuDevice;
import io.quotashare.agent.inventory.Inventory;
import io.quotashare.proto.agent.v1.StartAttempt;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The environment of a job: it begins empty, and has what the job's user has, what was submitted,
 * and what the agent sets (node-agent 4.2 and 5.2).
 */
final class JobEnvironment {
  private JobEnvironment() {}

  /** Devices in the order in which CUDA counts them with {@code CUDA_DEVICE_ORDER=PCI_BUS_ID}. */
  static List<String> inPciOrder(List<String> uuids, Inventory inventory) {
    return uuids.stream()
        .sorted(
            Comparator.comparing(
                    (String uuid) -> inventory.device(uuid).map(GpuDevice::pciBusId).orElse(""))
                .thenComparing(Comparator.naturalOrder()))
        .toList();
  }

  static Map<String, String> of(
      AttemptSpec spec,
      StartAttempt command,
      JobUser user,
      Inventory inventory,
      Path runDir,
      Path checkpointDir) {
    Map<String, String> env = new TreeMap<>(user.environment());
    env.putAll(command.getEnvMap());
    putContract(env, spec, command, runDir, checkpointDir);
    putDevices(env, spec, inventory);
    env.put("QS_NODE_RANK", Integer.toString(spec.rank()));
    env.put("QS_NNODES", Integer.toString(spec.nodes()));
    env.put("QS_GPUS_PER_NODE", Integer.toString(command.getGpusPerNode()));
    if (!command.getMasterAddress().isEmpty()) {
      env.put("MASTER_ADDR", command.getMasterAddress());
    }
    if (command.getMasterPort() > 0) {
      env.put("MASTER_PORT", Integer.toString(command.getMasterPort()));
    }
    return env;
  }

  private static void putContract(
      Map<String, String> env,
      AttemptSpec spec,
      StartAttempt command,
      Path runDir,
      Path checkpointDir) {
    env.put("QS_JOB_ID", spec.name().job());
    env.put("QS_ATTEMPT_ID", spec.name().toString());
    env.put("QS_ATTEMPT_NO", Integer.toString(spec.name().number()));
    env.put("QS_RUN_DIR", runDir.toString());
    env.put("QS_CHECKPOINT_DIR", checkpointDir.toString());
    env.put("QS_GRACE_S", seconds(spec.graceMillis()));
    env.put("QS_RESUME", command.getResume() ? "1" : "0");
    if (command.hasCheckpointEvery()) {
      long millis =
          command.getCheckpointEvery().getSeconds() * 1_000
              + command.getCheckpointEvery().getNanos() / 1_000_000;
      env.put("QS_CHECKPOINT_EVERY_S", seconds(millis));
    }
  }

  /** Always set, also to nothing: a job without devices must not see those of the host. */
  private static void putDevices(Map<String, String> env, AttemptSpec spec, Inventory inventory) {
    String uuids = String.join(",", spec.deviceUuids());
    env.put("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    env.put("CUDA_VISIBLE_DEVICES", uuids);
    env.put("NVIDIA_VISIBLE_DEVICES", uuids.isEmpty() ? "void" : uuids);
    env.put("QS_GPU_UUIDS", uuids);
    env.put(
        "QS_GPU_INDICES",
        spec.deviceUuids().stream()
            .map(uuid -> inventory.device(uuid).map(GpuDevice::index).orElse(-1).toString())
            .collect(Collectors.joining(",")));
  }

  /** Whole seconds without a fraction, else with milliseconds. */
  private static String seconds(long millis) {
    return millis % 1_000 == 0
        ? Long.toString(millis / 1_000)
        : String.format("%d.%03d", millis / 1_000, millis % 1_000);
  }
}
