/**
 * Attempts on this host: the start protocol, the checkpoint contract, the stop ladder, the release
 * gate, and finding everything again after a restart (node-agent 4 and 5).
 */
@NullMarked
package io.quotashare.agent.attempt;

import org.jspecify.annotations.NullMarked;
