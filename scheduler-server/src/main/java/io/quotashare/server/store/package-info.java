/**
 * What survives the scheduler: the rows of its state, history, audit and the answers to requests,
 * behind one interface with an embedded SQL database and an in-memory stand-in.
 */
@NullMarked
package io.quotashare.server.store;

import org.jspecify.annotations.NullMarked;
