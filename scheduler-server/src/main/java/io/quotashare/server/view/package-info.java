/** What readers see: immutable snapshots of the durable state, made after each commit. */
@NullMarked
package io.quotashare.server.view;

import org.jspecify.annotations.NullMarked;
