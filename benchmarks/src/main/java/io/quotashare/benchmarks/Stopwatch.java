package io.quotashare.benchmarks;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Adds up what a thread used between starts and stops: wall time, time on a processor, and how long
 * the collector stopped or accompanied it. Processor time does not count what others on the machine
 * take.
 */
final class Stopwatch {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private long wallNanos;
  private long cpuNanos;
  private long gcMillis;
  private long wallStart;
  private long cpuStart;
  private long gcStart;

  void start() {
    gcStart = collections();
    wallStart = System.nanoTime();
    cpuStart = THREADS.getCurrentThreadCpuTime();
  }

  void stop() {
    cpuNanos += THREADS.getCurrentThreadCpuTime() - cpuStart;
    wallNanos += System.nanoTime() - wallStart;
    gcMillis += collections() - gcStart;
  }

  private static long collections() {
    long sum = 0;
    for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      sum += collector.getCollectionTime();
    }
    return sum;
  }

  double wallMicros() {
    return wallNanos / 1e3;
  }

  /** Of the thread alone: what a collector does in threads of its own is not in it. */
  double cpuMicros() {
    return cpuNanos / 1e3;
  }

  /** Time in collections, in any thread. */
  double gcMicros() {
    return gcMillis * 1e3;
  }
}
