/** Watches of jobs: what happens is told in order, without gaps, and can be resumed. */
@NullMarked
package io.quotashare.server.watch;

import org.jspecify.annotations.NullMarked;
