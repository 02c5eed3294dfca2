/** What all endpoints share: listeners, errors, checks of fields, names, pages, times. */
@NullMarked
package io.quotashare.server.grpc;

import org.jspecify.annotations.NullMarked;
