/** The life cycles of jobs and attempts as transition tables. */
package io.quotashare.core.lifecycle;
