/**
 * A cluster of real processes on loopback, in a folder of its own: started, killed, watched and
 * cleared away.
 */
@NullMarked
package io.quotashare.integration.cluster;

import org.jspecify.annotations.NullMarked;
