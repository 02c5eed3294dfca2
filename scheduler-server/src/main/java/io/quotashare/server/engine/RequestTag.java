package io.quotashare.server.engine;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.quotashare.server.store.RequestKey;

/**
 * Makes a call idempotent: a repeat is given the first answer.
 *
 * @param key who asks, and the id of the request
 * @param hash hash of the method and the canonical request
 * @param parser reads a stored answer
 */
public record RequestTag<T extends MessageLite>(RequestKey key, ByteString hash, Parser<T> parser) {
  public RequestTag {
    requireNonNull(key, "key is null");
    requireNonNull(hash, "hash is null");
    requireNonNull(parser, "parser is null");
  }
}
