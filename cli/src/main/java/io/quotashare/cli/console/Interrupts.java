package io.quotashare.cli.console;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

/** Ctrl-C, for commands that do something else than die of it. */
public interface Interrupts {
  /** Takes Ctrl-C over until the result is closed. */
  Watch watch();

  /** Counts Ctrl-C. */
  interface Watch extends AutoCloseable {
    /** True if Ctrl-C was pressed since the last call. */
    boolean pressed();

    @Override
    void close();
  }

  /**
   * The signal of the system. The JDK has no supported class for it; where the unsupported one is
   * not there, Ctrl-C ends the program as ever.
   */
  static Interrupts ofSystem() {
    return SignalWatch::new;
  }

  /** Handles SIGINT through {@code sun.misc.Signal}, reached by reflection. */
  final class SignalWatch implements Watch {
    private final AtomicInteger presses = new AtomicInteger();
    private final Runnable restore;

    SignalWatch() {
      restore = install();
    }

    private Runnable install() {
      try {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object interrupt = signal.getConstructor(String.class).newInstance("INT");
        Method handle = signal.getMethod("handle", signal, handler);
        Object counter =
            Proxy.newProxyInstance(
                SignalWatch.class.getClassLoader(),
                new Class<?>[] {handler},
                (proxy, method, args) -> {
                  if (method.getName().equals("handle")) {
                    presses.incrementAndGet();
                  }
                  return switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == args[0];
                    case "toString" -> "counts Ctrl-C";
                    default -> null;
                  };
                });
        Object before = handle.invoke(null, interrupt, counter);
        return () -> reinstall(handle, interrupt, before);
      } catch (ReflectiveOperationException e) {
        return () -> {};
      }
    }

    private static void reinstall(Method handle, Object interrupt, Object before) {
      try {
        handle.invoke(null, interrupt, before);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("Ctrl-C cannot be given back", e);
      }
    }

    @Override
    public boolean pressed() {
      return presses.getAndSet(0) > 0;
    }

    @Override
    public void close() {
      restore.run();
    }
  }
}
