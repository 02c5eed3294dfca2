package io.quotashare.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A piece of a job's output, as the job wrote it. A character may be cut at its edges. */
public final class LogChunk {
  private final int attempt;
  private final long offset;
  private final byte[] data;

  /**
   * Copies the bytes.
   *
   * @param attempt attempt that it comes from
   * @param offset offset of the first byte in the attempt's output
   */
  public LogChunk(int attempt, long offset, byte[] data) {
    this.attempt = attempt;
    this.offset = offset;
    this.data = data.clone();
  }

  /** Attempt that it comes from. */
  public int attempt() {
    return attempt;
  }

  /** Offset of the first byte in the attempt's output. */
  public long offset() {
    return offset;
  }

  /** Number of bytes. */
  public int size() {
    return data.length;
  }

  /** The bytes, read-only. */
  public ByteBuffer data() {
    return ByteBuffer.wrap(data).asReadOnlyBuffer();
  }

  /** The bytes as UTF-8; what is no character is replaced. */
  public String text() {
    return new String(data, StandardCharsets.UTF_8);
  }
}
