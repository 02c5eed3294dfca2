package io.quotashare.client.internal;

import io.grpc.MethodDescriptor;
import io.quotashare.client.ShareEvent;
import io.quotashare.client.ShareWatchOptions;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.proto.v1.WatchQuotaSharesRequest;
import io.quotashare.proto.v1.WatchQuotaSharesResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The watch of shares. Where it begins anew after a break, the present state no longer has a share
 * that was removed meanwhile: the watcher is told so.
 */
final class ShareWatchProtocol
    implements WatchProtocol<WatchQuotaSharesRequest, WatchQuotaSharesResponse, ShareEvent> {
  private final ShareWatchOptions options;
  private final Set<String> known = new TreeSet<>();
  private final Set<String> inBeginning = new TreeSet<>();
  private boolean beginning;

  ShareWatchProtocol(ShareWatchOptions options) {
    this.options = options;
  }

  @Override
  public String what() {
    return "shares";
  }

  @Override
  public MethodDescriptor<WatchQuotaSharesRequest, WatchQuotaSharesResponse> method() {
    return QuotaShareServiceGrpc.getWatchQuotaSharesMethod();
  }

  @Override
  public synchronized WatchQuotaSharesRequest begin(boolean begunAnew) {
    beginning = true;
    inBeginning.clear();
    return request().build();
  }

  @Override
  public WatchQuotaSharesRequest resume(long revision) {
    return request().setRevision(revision).build();
  }

  private WatchQuotaSharesRequest.Builder request() {
    return WatchQuotaSharesRequest.newBuilder().setParent(Parents.queueOrAll(options.queue()));
  }

  @Override
  public long revision(WatchQuotaSharesResponse response) {
    return response.getRevision();
  }

  @Override
  public synchronized @Nullable ShareEvent event(WatchQuotaSharesResponse response) {
    ShareEvent event = ShareProtos.fromProto(response);
    if (event instanceof ShareEvent.Present present) {
      known.add(present.name());
      if (beginning) {
        inBeginning.add(present.name());
      }
    } else if (event instanceof ShareEvent.Removed removed) {
      known.remove(removed.name());
    }
    return event;
  }

  @Override
  public boolean endsBeginning(ShareEvent event) {
    return event instanceof ShareEvent.Removed;
  }

  @Override
  public synchronized List<ShareEvent> completeBeginning(long revision) {
    beginning = false;
    List<ShareEvent> gone = new ArrayList<>();
    for (String name : known) {
      if (!inBeginning.contains(name)) {
        gone.add(new ShareEvent.Removed(revision, null, name));
      }
    }
    known.retainAll(inBeginning);
    inBeginning.clear();
    return gone;
  }
}
