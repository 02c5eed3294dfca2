/** Commands about the scheduler itself. */
@NullMarked
package io.quotashare.cli.admin;

import org.jspecify.annotations.NullMarked;
