/** The {@code quotashare} command. */
@NullMarked
package io.quotashare.cli;

import org.jspecify.annotations.NullMarked;
