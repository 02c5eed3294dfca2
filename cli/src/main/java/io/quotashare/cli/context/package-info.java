/** Client configuration: named contexts, each with the addresses and defaults of one scheduler. */
@NullMarked
package io.quotashare.cli.context;

import org.jspecify.annotations.NullMarked;
