package io.quotashare.agent.nvml;

/**
 * Size of a MIG instance.
 *
 * @param gpuSlices GPU slices of its GPU instance, the number before {@code g} in its profile
 * @param computeSlices compute slices of it, the number before {@code c}; less than {@code
 *     gpuSlices} if the GPU instance is divided further
 * @param memoryMib memory in MiB
 */
public record MigAttributes(int gpuSlices, int computeSlices, long memoryMib) {}
