/** Commands about jobs. */
@NullMarked
package io.quotashare.cli.jobs;

import org.jspecify.annotations.NullMarked;
