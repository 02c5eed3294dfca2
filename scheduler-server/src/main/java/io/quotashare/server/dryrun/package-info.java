/** Dry runs: the decisions of the scheduler on a copy of its state, beside the engine's thread. */
@NullMarked
package io.quotashare.server.dryrun;

import org.jspecify.annotations.NullMarked;
