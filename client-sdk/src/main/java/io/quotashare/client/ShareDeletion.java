package io.quotashare.client;

/**
 * What the deletion of a share ended, or would end.
 *
 * @param cancelledJobs jobs that were cancelled at once because they waited
 * @param stoppingJobs jobs that are being stopped; the share is gone when the last of them has
 *     ended
 */
public record ShareDeletion(int cancelledJobs, int stoppingJobs) {}
