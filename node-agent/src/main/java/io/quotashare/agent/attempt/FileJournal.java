package io.quotashare.agent.attempt;

import io.quotashare.agent.supervise.SmallFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The journal in one file: a line per entry, a checksum in front, synced before {@link #append}
 * returns. A last line that was cut off by a crash was never relied on and is dropped; damage
 * anywhere else stops the agent, which must not guess what runs.
 */
public final class FileJournal implements AttemptJournal, AutoCloseable {
  private static final int CHECKSUM_DIGITS = 8;
  private static final Logger log = LoggerFactory.getLogger(FileJournal.class);

  private final Path file;
  private FileChannel channel;

  /**
   * Opens the journal, and creates it if it is not there.
   *
   * @throws UncheckedIOException if it cannot be opened
   */
  public FileJournal(Path file) {
    this.file = file;
    try {
      boolean created = Files.notExists(file);
      channel = open();
      if (created) {
        SmallFiles.syncFolder(file.toAbsolutePath().getParent());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open the journal " + file + ": " + e.getMessage(), e);
    }
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(
        file,
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
  }

  @Override
  public List<Entry> load() {
    try {
      byte[] bytes = Files.readAllBytes(file);
      List<Entry> entries = new ArrayList<>();
      int start = 0;
      for (int end; (end = indexOf(bytes, (byte) '\n', start)) >= 0; start = end + 1) {
        entries.add(
            entry(
                new String(bytes, start, end - start, StandardCharsets.UTF_8), entries.size() + 1));
      }
      if (start < bytes.length) {
        log.warn("{}: dropping the last line, which was cut off by a crash", file);
        channel.truncate(start);
        channel.force(true);
      }
      channel.position(start);
      return entries;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the journal " + file + ": " + e.getMessage(), e);
    }
  }

  private Entry entry(String line, int number) {
    try {
      if (line.length() <= CHECKSUM_DIGITS
          || !line.substring(0, CHECKSUM_DIGITS)
              .equals(checksum(line.substring(CHECKSUM_DIGITS + 1)))) {
        throw new IllegalArgumentException("its checksum does not fit");
      }
      return JournalCodec.read(line.substring(CHECKSUM_DIGITS + 1));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          "the journal "
              + file
              + " is damaged in line "
              + number
              + ": "
              + e.getMessage()
              + ". The agent does not start, because it cannot know what runs on this host."
              + " When no job of it runs any more, move the file away and start again",
          e);
    }
  }

  private static int indexOf(byte[] bytes, byte wanted, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  @Override
  public void append(Entry entry) {
    try {
      long before = channel.position();
      try {
        ByteBuffer bytes = line(entry);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(false);
      } catch (IOException e) {
        // A half line in the middle of the file would be damage.
        channel.truncate(before);
        channel.position(before);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the journal " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void compact(List<Entry> entries) {
    try {
      StringBuilder text = new StringBuilder();
      for (Entry entry : entries) {
        text.append(StandardCharsets.UTF_8.decode(line(entry)));
      }
      SmallFiles.replace(file, text.toString().getBytes(StandardCharsets.UTF_8), true);
      channel.close();
      channel = open();
      channel.position(channel.size());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the journal " + file + ": " + e.getMessage(), e);
    }
  }

  private static ByteBuffer line(Entry entry) {
    String json = JournalCodec.write(entry);
    return StandardCharsets.UTF_8.encode(checksum(json) + " " + json + "\n");
  }

  private static String checksum(String text) {
    CRC32C crc = new CRC32C();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
