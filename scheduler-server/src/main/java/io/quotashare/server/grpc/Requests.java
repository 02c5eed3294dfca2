package io.quotashare.server.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.quotashare.server.engine.RequestTag;
import io.quotashare.server.store.RequestKey;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Identity of requests: what makes a repeat the same request. */
public final class Requests {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");

  private Requests() {}

  /**
   * The tag of a call.
   *
   * @param requestId from the request; empty for none
   * @param method name of the method
   * @return null if the request has no id
   */
  public static <T extends MessageLite> @Nullable RequestTag<T> tag(
      String principal, String requestId, String method, MessageLite request, Parser<T> parser) {
    if (requestId.isEmpty()) {
      return null;
    }
    if (!UUID.matcher(requestId).matches()) {
      throw Errors.invalid("request_id", FieldChecks.shown(requestId) + " (expected: a UUID)");
    }
    return new RequestTag<>(
        new RequestKey(principal, requestId),
        ByteString.copyFrom(HexFormat.of().parseHex(hashOf(method, request))),
        parser);
  }

  /** SHA-256 of a name and a message in its canonical form, in hexadecimal digits. */
  static String hashOf(String name, MessageLite message) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(name.getBytes(StandardCharsets.UTF_8));
      digest.update((byte) 0);
      digest.update(canonical(message));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** A short text that changes with every change of the message. */
  public static String etag(MessageLite message) {
    return hashOf("etag", message).substring(0, 16);
  }

  /** Bytes of a message; the entries of maps stand in order of their keys. */
  private static byte[] canonical(MessageLite message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(message.getSerializedSize());
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.useDeterministicSerialization();
    try {
      message.writeTo(out);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory failed", e);
    }
    return bytes.toByteArray();
  }
}
