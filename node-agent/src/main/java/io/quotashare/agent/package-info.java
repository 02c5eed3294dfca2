/** The daemon that runs on each GPU host. */
@NullMarked
package io.quotashare.agent;

import org.jspecify.annotations.NullMarked;
