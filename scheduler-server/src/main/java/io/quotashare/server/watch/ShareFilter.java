package io.quotashare.server.watch;

import io.quotashare.core.model.ShareKey;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import io.quotashare.server.grpc.FieldChecks;
import io.quotashare.server.grpc.Names;
import java.util.Optional;

/**
 * Which shares a watch is about.
 *
 * @param queue queue id; empty for all
 */
record ShareFilter(Optional<String> queue) {
  static ShareFilter of(WatchQuotaSharesRequest request) {
    Optional<String> queue = Names.queueOrAll("parent", request.getParent());
    FieldChecks checks = new FieldChecks();
    checks.check(request.getRevision() >= 0, "revision", request.getRevision(), "0 or more");
    checks.throwIfAny();
    return new ShareFilter(queue);
  }

  boolean matches(ShareKey key) {
    return queue.isEmpty() || queue.get().equals(key.queue());
  }
}
