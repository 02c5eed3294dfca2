/** The job service: submission, control, lists, explanations. */
@NullMarked
package io.quotashare.server.jobs;

import org.jspecify.annotations.NullMarked;
