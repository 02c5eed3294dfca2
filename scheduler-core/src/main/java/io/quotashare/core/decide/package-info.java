/** Who goes next, how it starts, and why it waits: quota-semantics 2, 3, 4.8 and 7. */
package io.quotashare.core.decide;
