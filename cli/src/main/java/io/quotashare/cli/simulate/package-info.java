/**
 * Scenarios: reading them strictly, replaying them with the scheduler's core, showing the result.
 */
@NullMarked
package io.quotashare.cli.simulate;

import org.jspecify.annotations.NullMarked;
