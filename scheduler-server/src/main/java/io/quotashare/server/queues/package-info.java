/** The queue service: queues, nodes, usage and preemptions. */
@NullMarked
package io.quotashare.server.queues;

import org.jspecify.annotations.NullMarked;
