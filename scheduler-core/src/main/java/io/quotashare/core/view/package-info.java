/**
 * What people are shown: usage, loans, accounts, and why things are as they are. Reads the state,
 * changes nothing.
 */
package io.quotashare.core.view;
