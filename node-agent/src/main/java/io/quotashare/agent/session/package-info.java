/**
 * The session with the scheduler: registration, heartbeats, reports, commands, output
 * (architecture, Agents and leases).
 */
@NullMarked
package io.quotashare.agent.session;

import org.jspecify.annotations.NullMarked;
