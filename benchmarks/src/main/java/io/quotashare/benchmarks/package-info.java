/** Measurements behind the published figures. */
@NullMarked
package io.quotashare.benchmarks;

import org.jspecify.annotations.NullMarked;
