/** Who may use how much: the arithmetic of quota-semantics 1, in one place. */
package io.quotashare.core.ledger;
