/** Holds the documents against the programs that they describe. */
@org.jspecify.annotations.NullMarked
package io.quotashare.integration.docs;
