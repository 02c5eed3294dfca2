package io.quotashare.benchmarks;

import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs the JMH benchmarks. */
final class Micro {
  private Micro() {}

  /**
   * @param all with every parameter and two forks, instead of the smallest of each in one
   */
  static void run(boolean all) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include("io\\.quotashare\\.benchmarks\\..*Benchmark")
            .shouldFailOnError(true);
    if (!all) {
      options
          .forks(1)
          .warmupIterations(5)
          .measurementIterations(5)
          .param("running", "1000")
          .param("nodes", "1000")
          .param("shares", "30");
    }
    new Runner(options.build()).run();
  }
}
