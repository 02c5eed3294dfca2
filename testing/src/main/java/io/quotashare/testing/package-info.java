/** The test kit for programs that use the scheduler. */
@NullMarked
package io.quotashare.testing;

import org.jspecify.annotations.NullMarked;
