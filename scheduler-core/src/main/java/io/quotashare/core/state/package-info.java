/** The state of the scheduler with the indexes that decisions need. Owned by one thread. */
package io.quotashare.core.state;
