/** What the scheduler measures, and the HTTP listener that shows it. */
@NullMarked
package io.quotashare.server.metrics;

import org.jspecify.annotations.NullMarked;
