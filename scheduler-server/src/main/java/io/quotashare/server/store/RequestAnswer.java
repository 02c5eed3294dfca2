package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;

/**
 * The first answer to a request, for those who ask again (reliability S3).
 *
 * @param key the request
 * @param requestHash hash of the method and the canonical request; another one under the same key
 *     means that the id was reused
 * @param answer the answer, serialized
 */
public record RequestAnswer(RequestKey key, ByteString requestHash, ByteString answer) {
  public RequestAnswer {
    requireNonNull(key, "key is null");
    requireNonNull(requestHash, "requestHash is null");
    requireNonNull(answer, "answer is null");
  }
}
