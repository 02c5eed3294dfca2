package io.quotashare.agent.nvml;

/**
 * Memory of a device.
 *
 * @param totalBytes all of it
 * @param usedBytes what is in use; with what the driver reserves for itself if {@code
 *     usedIncludesReserved}
 * @param usedIncludesReserved the driver is older than 510 and cannot tell the two apart
 */
public record MemoryInfo(long totalBytes, long usedBytes, boolean usedIncludesReserved) {}
