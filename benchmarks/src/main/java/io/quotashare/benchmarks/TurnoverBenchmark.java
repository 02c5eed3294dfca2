package io.quotashare.benchmarks;

import io.quotashare.benchmarks.Cluster.Size;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One job ends, one comes, one starts, in a full cluster where 1,000 jobs wait. */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 2, jvmArgsAppend = "-Xmx1g")
@Warmup(iterations = 20)
@Measurement(iterations = 20)
public class TurnoverBenchmark {
  private static final int STEPS = 500;
  private static final int PENDING = 1_000;

  @Param({"1000", "12500"})
  public int nodes;

  @Param({"30", "1000"})
  public int shares;

  private Turnover turnover;

  @Setup(Level.Trial)
  public void fill() {
    turnover = new Turnover(Size.even(nodes, 8, shares), PENDING);
  }

  @Benchmark
  @OperationsPerInvocation(STEPS)
  public int step() {
    int started = 0;
    for (int s = 0; s < STEPS; s++) {
      started += turnover.step();
    }
    return started;
  }
}
