package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.google.protobuf.Message;
import io.grpc.Status;
import io.quotashare.client.fake.FakeScheduler;
import io.quotashare.proto.admin.v1.AdminServiceOuterClass;
import io.quotashare.proto.v1.JobServiceOuterClass;
import io.quotashare.proto.v1.QueueServiceOuterClass;
import io.quotashare.proto.v1.QuotaShareServiceOuterClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Walks the contract by its descriptors: an RPC that no method of the client calls, a field of a
 * request that no option can set, and a change without a request id each fail here.
 */
class ContractCoverageTest {
  private static final List<ServiceDescriptor> SERVICES =
      Stream.of(
              JobServiceOuterClass.getDescriptor(),
              QuotaShareServiceOuterClass.getDescriptor(),
              QueueServiceOuterClass.getDescriptor(),
              AdminServiceOuterClass.getDescriptor())
          .flatMap(file -> file.getServices().stream())
          .toList();

  /** First words of calls that change nothing, and thus need no request id. */
  private static final List<String> READS =
      List.of("Get", "List", "Watch", "Plan", "Explain", "Stream", "Verify");

  private static final Pattern SERVICE = Pattern.compile("(?m)^service (\\w+) \\{");

  /** Longest deadline of a call. */
  private static final Duration CALL = Duration.ofSeconds(10);

  /** Deadline of the calls that read the whole durable state. */
  private static final Duration VERIFY = Duration.ofMinutes(2);

  private final FakeScheduler scheduler = new FakeScheduler();
  private final EveryCall calls = new EveryCall(scheduler, scheduler.client());

  @AfterEach
  void close() {
    scheduler.close();
  }

  private List<Message> sent() {
    calls.makeAll();
    return scheduler.requests(Message.class);
  }

  private static Stream<MethodDescriptor> methods() {
    return SERVICES.stream().flatMap(service -> service.getMethods().stream());
  }

  /** The agents' own service is the one that no client calls. */
  @Test
  void noServiceOfTheContractIsForgotten() throws IOException {
    Set<String> declared = new HashSet<>();
    try (Stream<Path> files = Files.walk(Path.of("../proto/src/main/protobuf"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".proto")).toList()) {
        SERVICE.matcher(Files.readString(file)).results().forEach(m -> declared.add(m.group(1)));
      }
    }
    assertThat(declared.remove("AgentService")).isTrue();

    assertThat(SERVICES).extracting(ServiceDescriptor::getName).hasSameElementsAs(declared);
  }

  @Test
  void everyCallOfTheContractIsMade() {
    Set<String> called = new HashSet<>();
    sent().forEach(request -> called.add(request.getDescriptorForType().getFullName()));

    assertThat(methods())
        .filteredOn(method -> !called.contains(method.getInputType().getFullName()))
        .extracting(MethodDescriptor::getFullName)
        .as("RPCs that no method of the client calls")
        .isEmpty();
    assertThat(methods()).hasSizeGreaterThan(40);
  }

  @Test
  void everyFieldOfEveryRequestCanBeSet() {
    Set<String> set = new HashSet<>();
    sent().forEach(request -> collectSet(request, set));
    Set<String> fields = new LinkedHashSet<>();
    methods().forEach(method -> collectFields(method.getInputType(), fields));

    Set<String> never = new LinkedHashSet<>(fields);
    never.removeAll(set);

    // No exceptions so far. One that is needed is listed here with its reason.
    assertThat(never).isEmpty();
  }

  @Test
  void everyChangeCarriesARequestId() {
    List<Message> sent = sent();

    methods()
        .filter(method -> READS.stream().noneMatch(read -> method.getName().startsWith(read)))
        .filter(method -> !method.getName().equals("SubmitJobs"))
        .forEach(
            method -> {
              FieldDescriptor id = method.getInputType().findFieldByName("request_id");
              assertThat(id).as(method.getFullName()).isNotNull();
              assertThat(sent)
                  .filteredOn(request -> request.getDescriptorForType() == method.getInputType())
                  .isNotEmpty()
                  .allSatisfy(
                      request ->
                          assertThat(UUID.fromString((String) request.getField(id))).isNotNull());
            });
  }

  @Test
  void everyCallButAStreamHasADeadline() {
    calls.makeAll();

    methods()
        .forEach(
            method -> {
              Optional<Duration> limit = scheduler.timeLimit(classOf(method.getInputType()));
              if (method.isServerStreaming()) {
                assertThat(limit).as(method.getFullName()).isEmpty();
              } else {
                Duration most = method.getName().startsWith("Verify") ? VERIFY : CALL;
                assertThat(limit).as(method.getFullName()).isPresent();
                assertThat(limit.orElseThrow()).as(method.getFullName()).isPositive();
                assertThat(limit.orElseThrow()).as(method.getFullName()).isLessThanOrEqualTo(most);
              }
            });
  }

  @Test
  void everyCallIsRepeatedWithTheSameContentWhenTheSchedulerIsAway() {
    List<MethodDescriptor> calls = methods().filter(m -> !m.isServerStreaming()).toList();
    calls.forEach(
        call ->
            scheduler.failNext(
                classOf(call.getInputType()), Status.UNAVAILABLE.asRuntimeException()));

    List<Message> sent = sent();

    for (MethodDescriptor method : calls) {
      assertThat(sent)
          .as(method.getFullName())
          .filteredOn(request -> request.getDescriptorForType() == method.getInputType())
          .hasSizeGreaterThan(1)
          .satisfies(list -> assertThat(list.get(1)).isEqualTo(list.get(0)));
    }
  }

  private static Class<? extends Message> classOf(Descriptor type) {
    try {
      return Class.forName(
              "io.quotashare.proto" + type.getFullName().substring("quotashare".length()))
          .asSubclass(Message.class);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Names of the fields that are set anywhere in the message. */
  private static void collectSet(Message message, Set<String> into) {
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              into.add(field.getFullName());
              if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !isLeaf(field)) {
                List<?> values = field.isRepeated() ? (List<?>) value : List.of(value);
                values.forEach(v -> collectSet((Message) v, into));
              }
            });
  }

  private static void collectFields(Descriptor type, Set<String> into) {
    for (FieldDescriptor field : type.getFields()) {
      boolean known = !into.add(field.getFullName());
      if (!known && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !isLeaf(field)) {
        collectFields(field.getMessageType(), into);
      }
    }
  }

  /** Maps and the types of protobuf itself are values. */
  private static boolean isLeaf(FieldDescriptor field) {
    return field.isMapField()
        || field.getMessageType().getFullName().startsWith("google.protobuf.");
  }
}
