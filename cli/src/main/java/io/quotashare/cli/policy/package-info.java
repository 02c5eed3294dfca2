/** Policy files: reading them strictly into the queues and shares of the client. */
@NullMarked
package io.quotashare.cli.policy;

import org.jspecify.annotations.NullMarked;
