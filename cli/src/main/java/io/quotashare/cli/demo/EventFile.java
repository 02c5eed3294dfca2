package io.quotashare.cli.demo;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import io.quotashare.client.JobEvent;
import io.quotashare.client.UsageReport;
import io.quotashare.client.internal.JobProtos;
import io.quotashare.client.internal.QueueProtos;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Events and, in the last line, the ledger: one JSON object a line. */
final class EventFile {
  private EventFile() {}

  static void write(Path file, List<JobEvent> events, UsageReport report) throws IOException {
    List<String> lines = new ArrayList<>();
    for (JobEvent event : events) {
      lines.add(line(JobProtos.toProto(event)));
    }
    lines.add(line(QueueProtos.toProto(report)));
    Files.write(file, lines);
  }

  private static String line(Message message) throws InvalidProtocolBufferException {
    return JsonFormat.printer().omittingInsignificantWhitespace().print(message);
  }
}
