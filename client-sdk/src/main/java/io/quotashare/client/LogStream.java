package io.quotashare.client;

import io.quotashare.client.internal.LogReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The output of an attempt, piece by piece. It goes on at the right byte after a restart of the
 * scheduler. For one reading thread; {@link #close} may be called from any.
 */
public final class LogStream implements Iterable<LogChunk>, AutoCloseable {
  /** A piece, or the end: without a failure where the output has ended or was closed. */
  private record Item(@Nullable LogChunk chunk, @Nullable QuotaShareException failure) {}

  private final LinkedBlockingQueue<Item> items = new LinkedBlockingQueue<>();
  private final LogReader reader;

  LogStream(Function<LogReader.Observer, LogReader> open) {
    reader = open.apply(new Feed());
    reader.start();
  }

  /**
   * The next piece, waiting for it as long as it takes.
   *
   * @return empty at the end of the output, or after {@link #close}
   */
  public Optional<LogChunk> next() {
    try {
      Item item = items.take();
      if (item.chunk() != null) {
        reader.consumed();
        return Optional.of(item.chunk());
      }
      items.add(item);
      if (item.failure() != null) {
        throw item.failure();
      }
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CallCancelledException(ErrorDetails.of("interrupted while reading output"), e);
    }
  }

  /**
   * Writes the whole output and flushes after each piece.
   *
   * @return the attempt that it came from; 0 if there was no output
   */
  public int copyTo(OutputStream out) throws IOException {
    WritableByteChannel channel = Channels.newChannel(out);
    int attempt = 0;
    for (LogChunk chunk : this) {
      var data = chunk.data();
      while (data.hasRemaining()) {
        channel.write(data);
      }
      out.flush();
      attempt = chunk.attempt();
    }
    return attempt;
  }

  /** Pieces until the end of the output. */
  @Override
  public Iterator<LogChunk> iterator() {
    return new Iterator<>() {
      private Optional<LogChunk> ahead = Optional.empty();

      @Override
      public boolean hasNext() {
        if (ahead.isEmpty()) {
          ahead = LogStream.this.next();
        }
        return ahead.isPresent();
      }

      @Override
      public LogChunk next() {
        if (!hasNext()) {
          throw new NoSuchElementException("the output has ended");
        }
        LogChunk chunk = ahead.orElseThrow();
        ahead = Optional.empty();
        return chunk;
      }
    };
  }

  /** Stops reading. */
  @Override
  public void close() {
    reader.close();
    items.add(new Item(null, null));
  }

  private final class Feed implements LogReader.Observer {
    @Override
    public void onChunk(LogChunk chunk) {
      items.add(new Item(chunk, null));
    }

    @Override
    public void onEnd(@Nullable QuotaShareException failure) {
      items.add(new Item(null, failure));
    }
  }
}
