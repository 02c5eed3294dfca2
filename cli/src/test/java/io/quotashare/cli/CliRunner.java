package io.quotashare.cli;

import io.quotashare.cli.console.ClientSource;
import io.quotashare.cli.console.Interrupts;
import io.quotashare.cli.console.Outside;
import io.quotashare.client.fake.FakeScheduler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs command lines against a fake scheduler and keeps what they print. */
public final class CliRunner implements AutoCloseable {
  /** What a command line did. */
  public record Result(int code, String out, String err) {
    /** Lines of standard output. */
    public List<String> lines() {
      return out.lines().toList();
    }
  }

  /** The scheduler. */
  public final FakeScheduler scheduler = new FakeScheduler();

  /** Environment variables. */
  public final Map<String, String> variables = new HashMap<>();

  /** Addresses that clients were opened for. */
  public final List<String> opened = new CopyOnWriteArrayList<>();

  /** Now. */
  public Instant now = Instant.parse("2026-03-01T12:42:00Z");

  /** What the user types. */
  public String input = "";

  /** Whether output is a terminal. */
  public Outside.Terminals terminals = new Outside.Terminals(false, false, false);

  /** Waits between two looks. */
  public Outside.Pauses pauses = millis -> {};

  private final AtomicInteger presses = new AtomicInteger();
  private ClientSource clients;

  /** Over an in-process connection. */
  public CliRunner() {
    clients =
        (schedulers, admin, messages) -> {
          opened.add(String.join(",", schedulers) + " " + admin);
          return scheduler.client();
        };
  }

  /** Real connections instead of the fake scheduler. */
  public CliRunner overTcp() {
    clients = ClientSource.overTcp();
    return this;
  }

  /** Presses Ctrl-C. */
  public void pressCtrlC() {
    presses.incrementAndGet();
  }

  /** Runs a command line. */
  public Result run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code = Cli.run(outside(out, err), args);
    return new Result(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** What a command sees of the outside, if nobody reads what it prints. */
  Outside outside() {
    return outside(OutputStream.nullOutputStream(), OutputStream.nullOutputStream());
  }

  private Outside outside(OutputStream out, OutputStream err) {
    return new Outside(
        out,
        err,
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        terminals,
        variables,
        Clock.fixed(now, ZoneOffset.UTC),
        clients,
        this::watchInterrupts,
        pauses);
  }

  private Interrupts.Watch watchInterrupts() {
    return new Interrupts.Watch() {
      @Override
      public boolean pressed() {
        return presses.getAndSet(0) > 0;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
