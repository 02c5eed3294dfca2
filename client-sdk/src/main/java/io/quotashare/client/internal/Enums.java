package io.quotashare.client.internal;

import com.google.protobuf.ProtocolMessageEnum;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/**
 * The two directions between an enum of the client and its enum on the wire, whose constants carry
 * a prefix: RESERVE and SHARING_STRATEGY_RESERVE.
 *
 * @param <J> enum of the client; must have a constant UNRECOGNIZED
 * @param <P> enum of the wire
 */
final class Enums<J extends Enum<J>, P extends Enum<P> & ProtocolMessageEnum> {
  private static final String UNRECOGNIZED = "UNRECOGNIZED";

  private final Map<P, J> fromProto = new HashMap<>();
  private final Map<J, P> toProto;
  private final J unrecognized;

  /**
   * @param unspecified what the wire's zero value means: a default, or UNRECOGNIZED
   */
  Enums(Class<J> client, Class<P> wire, String prefix, J unspecified) {
    toProto = new EnumMap<>(client);
    unrecognized = Enum.valueOf(client, UNRECOGNIZED);
    P zero = Enum.valueOf(wire, prefix + "UNSPECIFIED");
    fromProto.put(zero, unspecified);
    for (J constant : client.getEnumConstants()) {
      if (constant == unrecognized || isOnlyTheZero(constant, unspecified, wire, prefix)) {
        toProto.put(constant, zero);
      } else {
        P peer = Enum.valueOf(wire, prefix + constant.name());
        toProto.put(constant, peer);
        fromProto.put(peer, constant);
      }
    }
  }

  /** A value that this client does not know becomes UNRECOGNIZED. */
  J fromProto(P value) {
    return fromProto.getOrDefault(value, unrecognized);
  }

  P toProto(J value) {
    P peer = toProto.get(value);
    if (peer == null) {
      throw new IllegalStateException("no value on the wire for " + value);
    }
    return peer;
  }

  /** A client constant such as NONE has no constant of its own on the wire: it is the zero. */
  private static <J extends Enum<J>, P extends Enum<P>> boolean isOnlyTheZero(
      J constant, J unspecified, Class<P> wire, String prefix) {
    if (constant != unspecified) {
      return false;
    }
    for (P peer : wire.getEnumConstants()) {
      if (peer.name().equals(prefix + constant.name())) {
        return false;
      }
    }
    return true;
  }
}
