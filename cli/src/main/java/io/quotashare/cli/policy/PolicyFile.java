package io.quotashare.cli.policy;

import static java.util.Objects.requireNonNull;

import io.quotashare.client.PolicyQueue;
import java.util.List;

/**
 * What a policy file says, and the {@code queues:} of a scenario.
 *
 * @param file name of the file as the user gave it
 * @param queues its queues with their shares, in the order of the file, every default filled in
 */
public record PolicyFile(String file, List<PolicyQueue> queues) {
  /** Copies the list. */
  public PolicyFile {
    requireNonNull(file, "file");
    queues = List.copyOf(queues);
  }
}
