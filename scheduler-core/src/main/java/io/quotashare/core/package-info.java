/**
 * The decisions: {@link io.quotashare.core.Scheduler} takes what happened and the time, and returns
 * the rows to write and the messages to send. No I/O, threads, clock, randomness or logging.
 */
package io.quotashare.core;
