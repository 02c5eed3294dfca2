/** The quota share service: shares, loans and policies. */
@NullMarked
package io.quotashare.server.shares;

import org.jspecify.annotations.NullMarked;
