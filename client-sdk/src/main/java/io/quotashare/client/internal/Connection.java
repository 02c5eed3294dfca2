package io.quotashare.client.internal;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.netty.NettyChannelBuilder;
import io.quotashare.client.JobEvent;
import io.quotashare.client.LogOptions;
import io.quotashare.client.ShareEvent;
import io.quotashare.client.ShareWatchOptions;
import io.quotashare.client.WatchOptions;
import java.time.Duration;
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

  /**
   * How a connection is found dead that says nothing any more: of a host that froze, or behind a
   * broken network. The scheduler permits a ping every 20 s while a call is under way.
   *
   * @param every silence after which the peer is asked for a sign of life
   * @param timeout time that it has to give one
   */
  record KeepAlive(Duration every, Duration timeout) {
    static final KeepAlive DEFAULT = new KeepAlive(Duration.ofSeconds(30), Duration.ofSeconds(10));
  }

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

  /**
   * Over TCP, without encryption. Opens nothing before the first call.
   *
   * @param admin where the admin service is; may be empty
   */
  public static Connection plaintext(
      List<HostPort> addresses,
      List<HostPort> admin,
      String userAgent,
      Consumer<String> connectionListener) {
    return plaintext(addresses, admin, userAgent, KeepAlive.DEFAULT, connectionListener);
  }

  static Connection plaintext(
      List<HostPort> addresses,
      List<HostPort> admin,
      String userAgent,
      KeepAlive keepAlive,
      Consumer<String> connectionListener) {
    return new Connection(
        rpc(addresses, userAgent, keepAlive),
        admin.isEmpty() ? null : rpc(admin, userAgent, keepAlive),
        connectionListener);
  }

  /**
   * Over channels that somebody else describes.
   *
   * @param shown the address that messages name
   */
  public static Connection over(
      ManagedChannelBuilder<?> channel,
      @Nullable ManagedChannelBuilder<?> admin,
      String shown,
      Consumer<String> connectionListener) {
    return new Connection(
        new Rpc(configured(channel, false), shown),
        admin == null ? null : new Rpc(configured(admin, false), shown),
        connectionListener);
  }

  /** The public services. */
  public Rpc scheduler() {
    return scheduler;
  }

  /** The admin service, if its address is known. */
  public @Nullable Rpc admin() {
    return admin;
  }

  /** A watch of jobs, not started yet. */
  public Watcher<JobEvent> watcher(WatchOptions options, Watcher.Observer<JobEvent> observer) {
    return watcher(options, false, observer);
  }

  /**
   * A watch of jobs, not started yet.
   *
   * @param heardBefore the scheduler has answered this client just now
   */
  public Watcher<JobEvent> watcher(
      WatchOptions options, boolean heardBefore, Watcher.Observer<JobEvent> observer) {
    return Watcher.of(
        scheduler,
        timers,
        connectionListener,
        new JobWatchProtocol(options),
        new Watcher.Settings(options.revision(), options.restart(), heardBefore),
        observer);
  }

  /** A watch of shares, not started yet. */
  public Watcher<ShareEvent> watcher(
      ShareWatchOptions options, Watcher.Observer<ShareEvent> observer) {
    return Watcher.of(
        scheduler,
        timers,
        connectionListener,
        new ShareWatchProtocol(options),
        new Watcher.Settings(options.revision(), options.restart(), false),
        observer);
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

  private static Rpc rpc(List<HostPort> addresses, String userAgent, KeepAlive keepAlive) {
    String shown = String.join(", ", addresses.stream().map(HostPort::toString).toList());
    NettyChannelBuilder channel =
        channel(addresses)
            .usePlaintext()
            .userAgent(userAgent)
            .keepAliveTime(keepAlive.every().toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTimeout(keepAlive.timeout().toMillis(), TimeUnit.MILLISECONDS);
    return new Rpc(configured(channel, addresses.size() > 1), shown);
  }

  private static NettyChannelBuilder channel(List<HostPort> addresses) {
    return NettyChannelBuilder.forTarget(
        addresses.size() == 1
            ? "dns:///" + addresses.get(0)
            : AddressListResolver.target(addresses));
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
