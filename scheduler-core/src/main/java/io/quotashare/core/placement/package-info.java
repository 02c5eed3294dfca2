/** Where a gang can sit. Pure functions of the room per node. */
package io.quotashare.core.placement;
