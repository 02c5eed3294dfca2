/**
 * Supervision of the processes of an attempt by a program that is not the agent (node-agent 4.2),
 * so that jobs outlive it.
 */
@NullMarked
package io.quotashare.agent.supervise;

import org.jspecify.annotations.NullMarked;
