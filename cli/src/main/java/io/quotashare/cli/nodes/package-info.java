/** Commands about nodes. */
@NullMarked
package io.quotashare.cli.nodes;

import org.jspecify.annotations.NullMarked;
