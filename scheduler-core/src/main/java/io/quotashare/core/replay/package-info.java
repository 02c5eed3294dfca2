/**
 * The scheduler in virtual time: a scenario is played against the very {@link
 * io.quotashare.core.Scheduler} that the server runs, with agents that only pretend to run jobs.
 * Times of this package are milliseconds after the scenario's time 0; they may be negative for what
 * began before it.
 */
package io.quotashare.core.replay;
