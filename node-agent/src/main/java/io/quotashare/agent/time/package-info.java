/** The clocks of the agent: the one place where time is read. */
@NullMarked
package io.quotashare.agent.time;

import org.jspecify.annotations.NullMarked;
