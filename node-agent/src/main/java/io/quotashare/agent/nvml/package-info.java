/** The binding to NVIDIA's management library (NVML). Nothing else in the agent calls it. */
@NullMarked
package io.quotashare.agent.nvml;

import org.jspecify.annotations.NullMarked;
