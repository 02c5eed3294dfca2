/**
 * Which attempts to stop so that a job can start: quota-semantics 4 and 5. Pure functions of a
 * question.
 */
package io.quotashare.core.preemption;
