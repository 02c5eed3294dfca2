package io.quotashare.server.badinput;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.google.protobuf.Message;
import io.grpc.Status;
import io.quotashare.core.Scheduler;
import io.quotashare.server.badinput.Rpc.Outcome;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * Random bytes, damaged and strangely changed requests into every handler: none is answered as a
 * fault, the engine has none, and what is durable afterwards can be read again. More tries: {@code
 * -Dquotashare.fuzz.tries=100000}; another seed: {@code -Dquotashare.fuzz.seed=N}.
 */
class ProtobufFuzzTest {
  private static final int TRIES = Integer.getInteger("quotashare.fuzz.tries", 300);
  private static final long SEED = Long.getLong("quotashare.fuzz.seed", 20_260_101);
  private static final Set<Status.Code> FAULTS =
      EnumSet.of(Status.Code.INTERNAL, Status.Code.UNKNOWN);

  /** Faults of the server, which it logs as errors. */
  private final List<String> faults = new ArrayList<>();

  private final AppenderBase<ILoggingEvent> appender =
      new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
          if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
            faults.add(
                event.getFormattedMessage()
                    + (event.getThrowableProxy() == null
                        ? ""
                        : ": " + event.getThrowableProxy().getMessage()));
          }
        }
      };

  @BeforeEach
  void listen() {
    appender.start();
    logger().addAppender(appender);
  }

  @AfterEach
  void listenNoMore() {
    logger().detachAppender(appender);
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger("io.quotashare.server");
  }

  static Stream<Rpc> methods() {
    return Rpc.all().stream();
  }

  @ParameterizedTest
  @MethodSource("methods")
  void nothingThatIsSentMakesAFault(Rpc rpc) {
    Mutator mutator = new Mutator(SEED);
    List<String> wrong = new ArrayList<>();
    try (World world = new World()) {
      for (int i = 0; i < TRIES && wrong.isEmpty(); i++) {
        byte[] request = request(world, rpc, mutator, i);
        Outcome outcome = rpc.call(world.server(), request);
        outcome
            .error()
            .filter(status -> FAULTS.contains(status.getCode()))
            .ifPresent(status -> wrong.add(status.toString()));
        wrong.addAll(faults);
        if (!wrong.isEmpty()) {
          wrong.add("try " + i + ": " + shown(rpc, request));
        }
      }
      Scheduler.restore(world.server().store().load());
    }
    assertThat(wrong).as(rpc.name()).isEmpty();
  }

  private static byte[] request(World world, Rpc rpc, Mutator mutator, int i) {
    List<java.util.function.Supplier<Message>> all = world.good(rpc.name());
    Message good = all.get(i % all.size()).get();
    return switch (i % 6) {
      case 0 -> mutator.bytes();
      case 1 -> mutator.damaged(good.toByteArray());
      default -> mutator.changed(good).toByteArray();
    };
  }

  private static String shown(Rpc rpc, byte[] request) {
    try {
      return rpc.prototype().getParserForType().parseFrom(request).toString();
    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
      return "no message: " + java.util.HexFormat.of().formatHex(request);
    }
  }
}
