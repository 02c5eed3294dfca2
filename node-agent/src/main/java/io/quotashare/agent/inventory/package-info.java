/**
 * The devices of this host: what they are, whether an attempt may start on them, what occupies
 * them.
 */
@NullMarked
package io.quotashare.agent.inventory;

import org.jspecify.annotations.NullMarked;
