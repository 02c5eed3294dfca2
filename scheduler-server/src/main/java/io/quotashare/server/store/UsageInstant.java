package io.quotashare.server.store;

/**
 * An instant for which the accounts of a pool are kept.
 *
 * @param unit capacity unit of the pool
 * @param atMillis the instant
 * @param startedAtMillis when the pool first had devices
 */
public record UsageInstant(String unit, long atMillis, long startedAtMillis) {}
