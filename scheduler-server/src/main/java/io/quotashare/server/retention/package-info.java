/** What is kept for how long: ended jobs and the usage ledger over time. */
@NullMarked
package io.quotashare.server.retention;

import org.jspecify.annotations.NullMarked;
