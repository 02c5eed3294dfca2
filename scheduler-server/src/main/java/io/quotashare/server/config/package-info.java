/** The configuration of the daemon: defaults, one strict YAML file, flags. */
@NullMarked
package io.quotashare.server.config;

import org.jspecify.annotations.NullMarked;
