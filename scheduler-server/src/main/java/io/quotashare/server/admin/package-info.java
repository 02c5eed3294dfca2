/** The admin service: what an operator does to nodes and asks of the scheduler. */
@NullMarked
package io.quotashare.server.admin;

import org.jspecify.annotations.NullMarked;
