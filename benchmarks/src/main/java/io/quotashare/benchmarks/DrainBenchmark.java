package io.quotashare.benchmarks;

import io.quotashare.benchmarks.Cluster.Size;
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

/** The first wave of a backlog of 10,000 jobs: as many start as the devices allow. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 20)
@Measurement(iterations = 20)
public class DrainBenchmark {
  private static final int JOBS = 10_000;

  @Param({"1000", "12500"})
  public int nodes;

  @Param({"30", "1000"})
  public int shares;

  private Drain drain;

  /** Made anew for every wave, and not measured. */
  @Setup(Level.Invocation)
  public void submit() {
    drain = new Drain(Size.even(nodes, 8, shares), JOBS);
  }

  @Benchmark
  public int wave() {
    return drain.decide();
  }
}
