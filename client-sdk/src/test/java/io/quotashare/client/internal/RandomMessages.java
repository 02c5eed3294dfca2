package io.quotashare.client.internal;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Duration;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import java.util.List;
import java.util.Random;

/**
 * Messages with random content, by their descriptors: a field that is added to the contract is
 * tested without a change here. Every optional field is set or not by chance; fields whose absence
 * the client replaces by a default are always set.
 */
final class RandomMessages {
  /** Fields of which the client knows the default: unset and default are the same to it. */
  private static final List<String> DEFAULTED =
      List.of(
          "quotashare.v1.QuotaShare.in_share_preemption",
          "quotashare.v1.QuotaShare.weight",
          "quotashare.v1.QuotaShare.min_runtime",
          "quotashare.v1.Queue.max_grace",
          "quotashare.v1.Queue.lost_work_cap",
          "quotashare.v1.Queue.restart_cost",
          "quotashare.v1.JobSpec.priority",
          "quotashare.v1.JobSpec.retries",
          "quotashare.v1.Job.spec",
          "quotashare.v1.WatchJobsResponse.event",
          "quotashare.v1.JobEvent.job",
          "quotashare.v1.ExplainJobResponse.job",
          "quotashare.v1.FrontJob.job",
          "quotashare.v1.QuotaShareStatus.share",
          "quotashare.v1.GetQueueSnapshotResponse.queue",
          "quotashare.v1.StateTimeLimit.max",
          "quotashare.v1.ShareDeviceSeconds.classes",
          "quotashare.v1.GetUsageReportResponse.classes",
          "quotashare.v1.UsageInterval.classes",
          "quotashare.v1.PlanJobResponse.job",
          "quotashare.v1.PlanPolicyResponse.changes");

  private final Random random;

  private RandomMessages(long seed) {
    this.random = new Random(seed);
  }

  @SuppressWarnings("unchecked")
  static <M extends Message> M fill(M prototype, long seed) {
    return (M) new RandomMessages(seed).fill(prototype.newBuilderForType()).build();
  }

  private Message.Builder fill(Message.Builder builder) {
    if (builder instanceof Timestamp.Builder time) {
      return time.setSeconds(random.nextInt(2_000_000_000)).setNanos(random.nextInt(1_000_000_000));
    }
    if (builder instanceof Duration.Builder duration) {
      return duration.setSeconds(random.nextInt(100_000)).setNanos(random.nextInt(1_000_000_000));
    }
    for (FieldDescriptor field : builder.getDescriptorForType().getFields()) {
      if (field.isRepeated()) {
        fillRepeated(builder, field);
      } else if (DEFAULTED.contains(field.getFullName())
          || !field.hasPresence()
          || random.nextBoolean()) {
        builder.setField(field, value(builder, field));
      }
    }
    return builder;
  }

  private void fillRepeated(Message.Builder builder, FieldDescriptor field) {
    int count = random.nextInt(3);
    for (int i = 0; i < count; i++) {
      if (field.isMapField()) {
        Message.Builder entry = builder.newBuilderForField(field);
        FieldDescriptor key = entry.getDescriptorForType().findFieldByName("key");
        entry.setField(key, "k" + i);
        FieldDescriptor value = entry.getDescriptorForType().findFieldByName("value");
        entry.setField(value, value(entry, value));
        builder.addRepeatedField(field, entry.build());
      } else {
        builder.addRepeatedField(field, value(builder, field));
      }
    }
  }

  private Object value(Message.Builder parent, FieldDescriptor field) {
    return switch (field.getJavaType()) {
      case INT -> random.nextInt(1000);
      case LONG -> (long) random.nextInt(1_000_000_000);
      case DOUBLE -> random.nextInt(1000) / 8.0;
      case FLOAT -> random.nextInt(1000) / 8.0f;
      case BOOLEAN -> random.nextBoolean();
      case STRING -> string(field);
      case ENUM -> enumValue(field);
      case MESSAGE -> fill(parent.newBuilderForField(field)).build();
      case BYTE_STRING -> com.google.protobuf.ByteString.copyFromUtf8("b" + random.nextInt(100));
    };
  }

  /** Names must be names: the client takes them apart. */
  private String string(FieldDescriptor field) {
    String any = "s" + random.nextInt(1000);
    return switch (field.getFullName()) {
      case "quotashare.v1.JobSpec.share", "quotashare.v1.QuotaShare.name" ->
          "queues/q" + any + "/shares/" + any;
      case "quotashare.v1.Queue.name" -> "queues/" + any;
      default -> any;
    };
  }

  /** The zero of an enum is left out: the client reads it as its documented default. */
  private EnumValueDescriptor enumValue(FieldDescriptor field) {
    List<EnumValueDescriptor> values = field.getEnumType().getValues();
    return values.get(1 + random.nextInt(values.size() - 1));
  }
}
