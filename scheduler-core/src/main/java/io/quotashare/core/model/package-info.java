/**
 * The nouns of the scheduler: queues, shares, nodes, jobs, attempts, plans. Immutable values
 * without behaviour of time.
 */
package io.quotashare.core.model;
