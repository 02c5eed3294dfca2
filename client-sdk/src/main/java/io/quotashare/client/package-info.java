/** The Java client of the scheduler. */
@NullMarked
package io.quotashare.client;

import org.jspecify.annotations.NullMarked;
