package io.quotashare.cli.context;

import io.quotashare.cli.UsageException;
import io.quotashare.cli.yaml.Suggestions;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the configuration file says.
 *
 * @param file where it stands, whether it is there or not
 * @param current name of the context that is used where no other is named
 * @param contexts contexts by name
 */
public record ClientConfig(
    Path file, @Nullable String current, NavigableMap<String, Context> contexts) {
  /** Copies the map. */
  public ClientConfig {
    contexts = Collections.unmodifiableNavigableMap(new TreeMap<>(contexts));
  }

  /** Without a context. */
  static ClientConfig empty(Path file) {
    return new ClientConfig(file, null, new TreeMap<>());
  }

  /**
   * The context of this name.
   *
   * @throws UsageException if there is none; it says which there are
   */
  public Context require(String name) {
    Context context = contexts.get(name);
    if (context != null) {
      return context;
    }
    String choice =
        contexts.isEmpty()
            ? "; there is none yet: make one with quotashare context set " + name
            : Suggestions.hint(name, contexts.keySet());
    throw new UsageException("there is no context \"" + name + "\" in " + file + choice);
  }

  /** The context in use, if one is. */
  public Optional<Context> currentContext() {
    return Optional.ofNullable(current).map(contexts::get);
  }

  /** The same with this context added or replaced. */
  ClientConfig with(Context context) {
    Map<String, Context> changed = new TreeMap<>(contexts);
    changed.put(context.name(), context);
    return new ClientConfig(file, current, new TreeMap<>(changed));
  }

  /** The same without this context. */
  ClientConfig without(String name) {
    Map<String, Context> changed = new TreeMap<>(contexts);
    changed.remove(name);
    return new ClientConfig(file, name.equals(current) ? null : current, new TreeMap<>(changed));
  }

  /** The same with another one in use. */
  ClientConfig using(@Nullable String name) {
    return new ClientConfig(file, name, contexts);
  }
}
