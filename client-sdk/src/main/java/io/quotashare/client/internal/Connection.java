package io.quotashare.client.internal;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.quotashare.client.LogOptions;
import io.quotashare.client.WatchOptions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The channels of one client and the thread for its timers. */
public final class Connection implements AutoCloseable {
  /** Responses larger than this are refused: 16 MiB, a page of a thousand nodes with devices. */
  private static final int MAX_RESPONSE_BYTES = 16 << 20;

  private final Rpc scheduler;
  private final @Nullable Rpc admin;
  private final ScheduledExecutorService timers;
  private final Consumer<String> connectionListener;

  private Connection(Rpc scheduler, @Nullable Rpc admin, Consumer<String> connectionListener) {
    this.scheduler = scheduler;
    this.admin = admin;
    this.connectionListener = connectionListener;
    ScheduledThreadPoolExecutor pool =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "quotashare-client-timer");
              thread.setDaemon(true);
              return thread;
            });
    pool.setRemoveOnCancelPolicy(true);
    this.timers = pool;
  }

  /** Over TCP, without encryption. Opens nothing before the first call. */
  public static Connection plaintext(
      List<HostPort> addresses,
      @Nullable HostPort admin,
      String userAgent,
      Consumer<String> connectionListener) {
    String shown = String.join(", ", addresses.stream().map(HostPort::toString).toList());
    NettyChannelBuilder builder = channel(addresses, userAgent);
    NettyChannelBuilder adminBuilder = admin == null ? null : channel(List.of(admin), userAgent);
    return over(builder, shown, addresses.size() > 1, adminBuilder, admin, connectionListener);
  }

  /** Over channels that somebody else describes; the names stand in messages. */
  public static Connection over(
      ManagedChannelBuilder<?> channel,
      String shown,
      boolean severalAddresses,
      @Nullable ManagedChannelBuilder<?> admin,
      @Nullable Object adminShown,
      Consumer<String> connectionListener) {
    ManagedChannel main = configured(channel, severalAddresses);
    Rpc adminRpc =
        admin == null ? null : new Rpc(configured(admin, false), String.valueOf(adminShown));
    return new Connection(new Rpc(main, shown), adminRpc, connectionListener);
  }

  /** The public services. */
  public Rpc scheduler() {
    return scheduler;
  }

  /** The admin service, if its address is known. */
  public @Nullable Rpc admin() {
    return admin;
  }

  /** A watch, not started yet. */
  public JobWatcher watcher(WatchOptions options, JobWatcher.Observer observer) {
    return new JobWatcher(scheduler, timers, connectionListener, options, observer);
  }

  /** A reader of output, not started yet. */
  public LogReader logReader(String job, LogOptions options, LogReader.Observer observer) {
    return new LogReader(scheduler, timers, connectionListener, job, options, observer);
  }

  /** Runs the task after the delay, unless the future is done by then. */
  public void after(long millis, CompletableFuture<?> future, Runnable task) {
    var timer = timers.schedule(task, millis, TimeUnit.MILLISECONDS);
    var unused = future.whenComplete((value, failure) -> timer.cancel(false));
  }

  /** Cancels what is under way and closes the connections. */
  @Override
  public void close() {
    timers.shutdownNow();
    scheduler.channel().shutdownNow();
    if (admin != null) {
      admin.channel().shutdownNow();
    }
    try {
      scheduler.channel().awaitTermination(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static NettyChannelBuilder channel(List<HostPort> addresses, String userAgent) {
    String target =
        addresses.size() == 1
            ? "dns:///" + addresses.get(0)
            : AddressListResolver.target(addresses);
    NettyChannelBuilder builder = NettyChannelBuilder.forTarget(target);
    return builder.usePlaintext().userAgent(userAgent);
  }

  private static ManagedChannel configured(
      ManagedChannelBuilder<?> builder, boolean severalAddresses) {
    return builder
        .maxInboundMessageSize(MAX_RESPONSE_BYTES)
        .enableRetry()
        .defaultServiceConfig(ServiceConfig.of(severalAddresses))
        .build();
  }
}
