/** What a command sees of the outside: streams, terminal, variables, clock, scheduler. */
@NullMarked
package io.quotashare.cli.console;

import org.jspecify.annotations.NullMarked;
