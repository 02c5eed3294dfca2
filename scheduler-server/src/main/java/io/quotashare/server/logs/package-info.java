/** Output of attempts, from the agent that has it to the user who asks. */
@NullMarked
package io.quotashare.server.logs;

import org.jspecify.annotations.NullMarked;
