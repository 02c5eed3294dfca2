package io.quotashare.client.internal;

import io.grpc.EquivalentAddressGroup;
import io.grpc.NameResolver;
import io.grpc.NameResolverProvider;
import io.grpc.NameResolverRegistry;
import io.grpc.Status;
import io.grpc.StatusOr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a fixed list of {@code host:port}, as the target {@code quotashare:///a:1,b:2}. A name
 * that cannot be resolved is left out as long as another can.
 */
final class AddressListResolver extends NameResolver {
  private static final String SCHEME = "quotashare";

  private final List<HostPort> addresses;
  private final Executor executor;
  private @Nullable Listener2 listener;

  private AddressListResolver(List<HostPort> addresses, Executor executor) {
    this.addresses = addresses;
    this.executor = executor;
  }

  /** The target for the addresses; registers the scheme with gRPC. */
  static String target(List<HostPort> addresses) {
    NameResolverRegistry.getDefaultRegistry().register(Provider.INSTANCE);
    String list = String.join(",", addresses.stream().map(HostPort::toString).toList());
    try {
      return new URI(SCHEME, "", "/" + list, null).toString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("addresses: " + list + " cannot be written as a URI", e);
    }
  }

  @Override
  public String getServiceAuthority() {
    return addresses.get(0).toString();
  }

  @Override
  public void start(Listener2 newListener) {
    listener = newListener;
    refresh();
  }

  @Override
  public void refresh() {
    Listener2 current = listener;
    if (current != null) {
      executor.execute(() -> resolve(current));
    }
  }

  @Override
  public void shutdown() {}

  private void resolve(Listener2 to) {
    List<EquivalentAddressGroup> groups = new ArrayList<>();
    List<String> unknown = new ArrayList<>();
    for (HostPort address : addresses) {
      try {
        for (InetAddress ip : InetAddress.getAllByName(address.host())) {
          groups.add(new EquivalentAddressGroup(new InetSocketAddress(ip, address.port())));
        }
      } catch (UnknownHostException e) {
        unknown.add(address.host());
      }
    }
    if (groups.isEmpty()) {
      to.onError(Status.UNAVAILABLE.withDescription("unknown hosts: " + unknown));
    } else {
      to.onResult(
          ResolutionResult.newBuilder().setAddressesOrError(StatusOr.fromValue(groups)).build());
    }
  }

  /** What gRPC finds under the scheme. */
  private static final class Provider extends NameResolverProvider {
    static final Provider INSTANCE = new Provider();

    @Override
    protected boolean isAvailable() {
      return true;
    }

    @Override
    protected int priority() {
      return 5;
    }

    @Override
    public String getDefaultScheme() {
      return SCHEME;
    }

    @Override
    public @Nullable NameResolver newNameResolver(URI target, Args args) {
      if (!SCHEME.equals(target.getScheme())) {
        return null;
      }
      List<HostPort> list =
          Arrays.stream(target.getPath().substring(1).split(",")).map(HostPort::parse).toList();
      Executor executor = args.getOffloadExecutor();
      return new AddressListResolver(list, executor == null ? ForkJoinPool.commonPool() : executor);
    }
  }
}
