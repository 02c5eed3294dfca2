/** How resources are shown: one model of columns for each, every format from it. */
@NullMarked
package io.quotashare.cli.output;

import org.jspecify.annotations.NullMarked;
