/**
 * What happens to jobs and attempts: moves along their life cycles, with the rows, messages and
 * events that follow.
 */
package io.quotashare.core.steps;
