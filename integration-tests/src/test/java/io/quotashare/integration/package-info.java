/** Tests on real processes: one scheduler, node agents, jobs, and the command line. */
@NullMarked
package io.quotashare.integration;

import org.jspecify.annotations.NullMarked;
