/**
 * A strict reader for the YAML files that people write: typed access with positions, every mistake
 * reported at once with file, line, column, key, value and what was expected.
 */
@NullMarked
package io.quotashare.cli.yaml;

import org.jspecify.annotations.NullMarked;
