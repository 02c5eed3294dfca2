/** What the operator says: flags and one strict YAML file. */
@NullMarked
package io.quotashare.agent.config;

import org.jspecify.annotations.NullMarked;
