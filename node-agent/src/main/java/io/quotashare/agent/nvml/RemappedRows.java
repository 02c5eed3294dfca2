package io.quotashare.agent.nvml;

/**
 * Rows of memory that the GPU has replaced.
 *
 * @param pending a row will be replaced at the next reset of the GPU
 * @param failed a row could not be replaced: the GPU has to be replaced
 */
public record RemappedRows(boolean pending, boolean failed) {}
