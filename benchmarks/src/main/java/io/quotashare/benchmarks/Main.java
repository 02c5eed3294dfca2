package io.quotashare.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;

/** The load programs; {@code benchmarks/run} starts them. */
public final class Main {
  private static final String USAGE =
      """
      usage: figures (all | quick | smoke) [FOLDER]   measures every figure; draws how they grow into FOLDER
             heap JOBS                                heap of so many waiting jobs
             store JOBS                               size of database and heap with so many ended jobs
             micro (all | quick)                      the JMH benchmarks
             digest                                   a checksum of the decisions of every workload""";

  private Main() {}

  public static void main(String[] args) throws IOException, RunnerException {
    System.exit(run(args, System.out, System.err));
  }

  /** Runs a program; returns the exit code: 0, or 2 where the arguments are wrong. */
  static int run(String[] args, PrintStream out, PrintStream err)
      throws IOException, RunnerException {
    String program = args.length == 0 ? "" : args[0];
    String option = args.length < 2 ? "" : args[1];
    switch (program) {
      case "figures" -> {
        Scale scale = scale(option);
        if (scale != null && args.length <= 3) {
          out.println(Machine.describe());
          List<Figure> figures = new Figures(scale, out::println).measure();
          draw(figures, args.length == 3 ? Path.of(args[2]) : null);
          return 0;
        }
      }
      case "heap" -> {
        if (option.matches("[1-9][0-9]{0,7}") && args.length == 2) {
          out.println(Machine.describe());
          out.println(Heap.measure(Integer.parseInt(option)));
          return 0;
        }
      }
      case "store" -> {
        if (option.matches("[1-9][0-9]{0,4}00") && args.length == 2) {
          out.println(Machine.describe());
          StoreSize.measure(Integer.parseInt(option)).forEach(out::println);
          return 0;
        }
      }
      case "micro" -> {
        if ((option.equals("all") || option.equals("quick")) && args.length == 2) {
          out.println(Machine.describe());
          Micro.run(option.equals("all"));
          return 0;
        }
      }
      case "digest" -> {
        if (args.length == 1) {
          Digest.print(out);
          return 0;
        }
      }
      default -> {}
    }
    err.println("arguments: " + String.join(" ", args) + " (expected: one of the following)");
    err.println(USAGE);
    return 2;
  }

  private static @Nullable Scale scale(String name) {
    return switch (name) {
      case "all" -> Scale.ALL;
      case "quick" -> Scale.QUICK;
      case "smoke" -> Scale.SMOKE;
      default -> null;
    };
  }

  private static void draw(List<Figure> figures, @Nullable Path folder) throws IOException {
    if (folder == null) {
      return;
    }
    Files.createDirectories(folder);
    Files.writeString(
        folder.resolve("decision-cost.svg"),
        Drawing.of(
            "Cost of a decision",
            List.of(
                "drain by shares",
                "drain by pending jobs",
                "turnover by nodes",
                "turnover by shares",
                "turnover by pending jobs"),
            figures));
    Files.writeString(
        folder.resolve("reclaim-cost.svg"),
        Drawing.of(
            "Cost of one reclaim with 64 victims",
            List.of("reclaim by running jobs", "reclaim, little is lent", "reclaim by nodes"),
            figures));
  }
}
