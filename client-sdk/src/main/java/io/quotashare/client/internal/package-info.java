/**
 * What stands between the client and the wire. Not API: may change in any release, and its types
 * never appear in the public ones.
 */
@NullMarked
package io.quotashare.client.internal;

import org.jspecify.annotations.NullMarked;
