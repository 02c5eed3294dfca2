package io.quotashare.core.model;

/**
 * Device-milliseconds of a share in one pool, up to an instant (quota-semantics 6.7).
 *
 * @param share the share
 * @param unit capacity unit
 * @param untilMillis up to when it is counted
 * @param own held within the limit
 * @param borrowed held above it, within the borrow limit
 * @param over held above both
 * @param lent part of the limit that others used
 * @param idle part of the limit that nobody used
 * @param ended classes of the attempts that have ended
 */
public record ShareMeter(
    ShareKey share,
    String unit,
    long untilMillis,
    long own,
    long borrowed,
    long over,
    long lent,
    long idle,
    DeviceMillis ended) {}
