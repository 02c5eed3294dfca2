package io.quotashare.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of an agent, checked. See {@link Setting} for what each means.
 *
 * @param node name of this node
 * @param schedulerHost host of the scheduler; a loopback address
 * @param schedulerPort its port, 1 to 65535
 */
public record AgentConfig(
    String node,
    String schedulerHost,
    int schedulerPort,
    Map<String, String> labels,
    Path state,
    Path checkpointRoot,
    String advertiseAddress,
    Optional<Path> nvmlLibrary,
    Map<String, String> units,
    Duration sweepInterval,
    Duration nvmlDeadline,
    Duration nvmlInitDeadline,
    Duration nvmlRetryMax,
    Duration reconnectMax,
    Duration pollInterval,
    Duration startTimeout,
    Duration releaseTimeout,
    long logFileBytes,
    int logFiles,
    int keepAttempts,
    Duration keepFor,
    long keepOutputBytes,
    Path lockDir,
    Optional<Path> cgroupRoot,
    Path shim,
    String jobPath) {}
