/** A scheduler that decides nothing: answers as a test tells it, over the real contract. */
@NullMarked
package io.quotashare.client.fake;

import org.jspecify.annotations.NullMarked;
