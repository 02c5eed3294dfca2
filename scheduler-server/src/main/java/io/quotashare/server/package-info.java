/** The scheduler service around the pure core. */
@NullMarked
package io.quotashare.server;

import org.jspecify.annotations.NullMarked;
