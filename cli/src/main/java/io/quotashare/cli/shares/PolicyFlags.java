package io.quotashare.cli.shares;

import io.quotashare.client.PolicyOptions;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code apply} and {@code plan} are told alike. */
final class PolicyFlags {
  @Option(
      names = {"-f", "--file"},
      required = true,
      paramLabel = "FILE",
      description = "Policy as YAML or JSON, see docs/policy.md.")
  Path file = Path.of("");

  @Option(
      names = "--drain-now",
      description = "Stop at once what a lowered limit leaves above it, instead of on demand.")
  private boolean drainNow;

  @Option(
      names = "--prune",
      description =
          "Disable and then delete the queues and shares that exist and that the file does not"
              + " name; their jobs are cancelled.")
  private boolean prune;

  /** Whether what the file does not name is removed. */
  boolean prune() {
    return prune;
  }

  PolicyOptions options(@Nullable UUID requestId) {
    return new PolicyOptions(drainNow, prune, requestId);
  }
}
