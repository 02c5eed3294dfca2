/** Threads whose failures are not lost. */
@NullMarked
package io.quotashare.agent.threads;

import org.jspecify.annotations.NullMarked;
