/** Sessions of node agents: registration, leases, commands, reports. */
@NullMarked
package io.quotashare.server.agents;

import org.jspecify.annotations.NullMarked;
