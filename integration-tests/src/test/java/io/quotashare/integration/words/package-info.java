/** Tests that compare what several modules say about the same thing. */
@org.jspecify.annotations.NullMarked
package io.quotashare.integration.words;
