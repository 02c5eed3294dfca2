package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Inputs that come again until they are answered, such as the reports of agents, and that made the
 * scheduler fault. Each fault makes the engine read its state anew; one input that always faults
 * would keep it from ever doing anything else. Engine's thread only, but for the count.
 */
final class FaultyInputs {
  /** Faults of one input after which it is set aside. */
  static final int MAX_FAULTS = 3;

  /** Inputs that are remembered; the one that was not seen for longest is forgotten. */
  private static final int MAX_REMEMBERED = 1000;

  private final Map<Object, Integer> faults =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Integer> eldest) {
          return size() > MAX_REMEMBERED;
        }
      };

  private final Set<Object> inThisStep = new HashSet<>();
  private @Nullable Object current;
  private final AtomicLong setAside = new AtomicLong();

  /**
   * Begins to take an input in.
   *
   * @return false if it faulted too often, and is to be set aside
   */
  boolean begin(Object input) {
    requireNonNull(input, "input is null");
    Integer known = faults.get(input);
    if (known != null && known >= MAX_FAULTS) {
      inThisStep.add(input);
      return false;
    }
    current = input;
    return true;
  }

  /** The input was taken in. */
  void end() {
    current = null;
  }

  /** Something faulted; the input that was being taken in, if there was one, is to blame. */
  void faulted() {
    if (current != null) {
      faults.merge(current, 1, Integer::sum);
    }
    current = null;
    inThisStep.clear();
  }

  /** What was set aside is durable. */
  void committed() {
    setAside.addAndGet(inThisStep.size());
    inThisStep.clear();
  }

  /** Inputs that were set aside since the start; from any thread. */
  long setAside() {
    return setAside.get();
  }
}
