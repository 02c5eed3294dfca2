package io.quotashare.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One decision that stops 64 jobs for a gang. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 60)
@Measurement(iterations = 40)
public class ReclaimBenchmark {
  @Param({"100", "1000", "10000"})
  public int running;

  private Reclaim reclaim;

  /** Made anew for every decision, and not measured. */
  @Setup(Level.Invocation)
  public void fill() {
    reclaim = Reclaim.wide(running);
  }

  @Benchmark
  public int decide() {
    return reclaim.decide();
  }
}
