/** The three-team example on real processes, and the verdict on what happened. */
@NullMarked
package io.quotashare.cli.demo;

import org.jspecify.annotations.NullMarked;
