/**
 * The one writer: a bounded queue of calls, one thread that applies them in batches, decides, and
 * makes the result durable before anybody is told.
 */
@NullMarked
package io.quotashare.server.engine;

import org.jspecify.annotations.NullMarked;
