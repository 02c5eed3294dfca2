/** The process: its thread, its state folder, its start and its end. */
@NullMarked
package io.quotashare.agent.daemon;

import org.jspecify.annotations.NullMarked;
