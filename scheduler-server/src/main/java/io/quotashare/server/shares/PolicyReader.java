package io.quotashare.server.shares;

import io.quotashare.core.Policy;
import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.PolicyQueue;
import io.quotashare.proto.v1.QuotaShare;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads a policy and says everything that is wrong with it. */
final class PolicyReader {
  static final int MAX_QUEUES = 1000;
  static final int MAX_SHARES = 10_000;

  private final FieldChecks checks = new FieldChecks();
  private final List<Policy.QueuePolicy> queues = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  private PolicyReader() {}

  /** The policy; throws INVALID_ARGUMENT with every field that is wrong. */
  static Policy read(List<PolicyQueue> queues, boolean prune) {
    PolicyReader reader = new PolicyReader();
    reader.checks.check(
        !queues.isEmpty() && queues.size() <= MAX_QUEUES,
        "queues",
        queues.size() + " entries",
        "1 to " + MAX_QUEUES);
    reader.checks.throwIfAny();
    List<Runnable> conversions = new ArrayList<>();
    for (int i = 0; i < queues.size(); i++) {
      PolicyQueue queue = queues.get(i);
      if (reader.check(queue, reader.checks.in("queues[" + i + "]"))) {
        conversions.add(() -> reader.convert(queue));
      }
    }
    reader.checks.throwIfAny();
    conversions.forEach(Runnable::run);
    return new Policy(reader.queues, prune);
  }

  /** Whether the names are good enough to read on. */
  private boolean check(PolicyQueue queue, FieldChecks here) {
    String name = queue.getQueue().getName();
    boolean named =
        here.check(
            name.startsWith("queues/") && Names.isId(name.substring("queues/".length())),
            "queue.name",
            name,
            "queues/{queue}, an id of " + Names.ID_RULE);
    if (!named) {
      return false;
    }
    here.check(names.add(name), "queue.name", name, "every queue once");
    QueueRules.check(queue.getQueue(), here.in("queue"));
    here.check(
        queue.getSharesCount() <= MAX_SHARES,
        "shares",
        queue.getSharesCount() + " entries",
        "at most " + MAX_SHARES);
    for (int i = 0; i < Math.min(queue.getSharesCount(), MAX_SHARES); i++) {
      QuotaShare share = queue.getShares(i);
      FieldChecks at = here.in("shares[" + i + "]");
      String prefix = name + "/shares/";
      at.check(
          share.getName().startsWith(prefix)
              && Names.isId(share.getName().substring(prefix.length())),
          "name",
          share.getName(),
          prefix + "{share}, an id of " + Names.ID_RULE);
      at.check(names.add(share.getName()), "name", share.getName(), "every share once");
      ShareRules.check(share, at);
    }
    return true;
  }

  private void convert(PolicyQueue queue) {
    String id = Names.queue("name", queue.getQueue().getName());
    List<io.quotashare.core.model.QuotaShare> shares = new ArrayList<>();
    for (QuotaShare share : queue.getSharesList()) {
      ShareKey key = Names.share("name", share.getName());
      shares.add(ShareConverter.share(share, key));
    }
    queues.add(new Policy.QueuePolicy(QueueConverter.queue(queue.getQueue(), id), shares));
  }
}
