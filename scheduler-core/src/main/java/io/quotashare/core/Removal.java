package io.quotashare.core;

/**
 * What removing a share does to its jobs.
 *
 * @param cancelledJobs jobs that waited, and are cancelled at once
 * @param stoppingJobs jobs that hold devices, and are being stopped; the share is gone when the
 *     last of them has ended
 */
public record Removal(int cancelledJobs, int stoppingJobs) {}
