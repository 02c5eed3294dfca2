/** Commands about queues, shares, policies and the ledger. */
@NullMarked
package io.quotashare.cli.shares;

import org.jspecify.annotations.NullMarked;
