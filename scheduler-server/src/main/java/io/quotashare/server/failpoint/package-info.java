/** Places at which tests let a scheduler die; nothing of it acts in a scheduler in use. */
@NullMarked
package io.quotashare.server.failpoint;

import org.jspecify.annotations.NullMarked;
