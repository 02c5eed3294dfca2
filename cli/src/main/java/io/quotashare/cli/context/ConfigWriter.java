package io.quotashare.cli.context;

import io.quotashare.cli.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/**
 * Writes the configuration file: for the owner alone (0600), and whole or not at all, so that a
 * command that reads at the same time sees the old file or the new one.
 */
final class ConfigWriter {
  private static final String OWNER_ONLY = "rw-------";
  private static final String FOLDER_OWNER_ONLY = "rwx------";

  private ConfigWriter() {}

  static void write(ClientConfig config) {
    try {
      // A link stays a link: the file that it points at is replaced.
      Path file = Files.exists(config.file()) ? config.file().toRealPath() : config.file();
      Path folder = file.toAbsolutePath().getParent();
      if (!Files.isDirectory(folder)) {
        Files.createDirectories(
            folder,
            PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString(FOLDER_OWNER_ONLY)));
      }
      replace(file, folder, text(config));
    } catch (IOException e) {
      throw new UsageException(config.file() + " cannot be written: " + e);
    }
  }

  private static void replace(Path file, Path folder, String text) throws IOException {
    Path next =
        Files.createTempFile(
            folder,
            ".config",
            ".next",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
    try {
      try (FileChannel channel = FileChannel.open(next, EnumSet.of(StandardOpenOption.WRITE))) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(next);
    }
  }

  private static String text(ClientConfig config) {
    Map<String, Object> root = new LinkedHashMap<>();
    if (config.current() != null) {
      root.put("current", config.current());
    }
    Map<String, Object> contexts = new LinkedHashMap<>();
    config.contexts().forEach((name, context) -> contexts.put(name, keys(context)));
    root.put("contexts", contexts);
    DumpSettings settings = DumpSettings.builder().setDefaultFlowStyle(FlowStyle.BLOCK).build();
    return new Dump(settings).dumpToString(root);
  }

  /** The keys of the file, in the order in which people read them. */
  static Map<String, Object> keys(Context context) {
    Map<String, Object> keys = new LinkedHashMap<>();
    if (!context.schedulers().isEmpty()) {
      keys.put("schedulers", context.schedulers());
    }
    putUnlessNull(keys, "admin", context.admin());
    putUnlessNull(keys, "queue", context.queue());
    putUnlessNull(keys, "share", context.share());
    putUnlessNull(keys, "output", context.output() == null ? null : context.output().name());
    return keys;
  }

  private static void putUnlessNull(Map<String, Object> keys, String key, @Nullable Object value) {
    if (value != null) {
      keys.put(key, value);
    }
  }
}
