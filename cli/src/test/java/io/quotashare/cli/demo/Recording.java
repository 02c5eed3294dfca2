package io.quotashare.cli.demo;

import com.google.protobuf.util.JsonFormat;
import io.quotashare.client.JobEvent;
import io.quotashare.client.UsageReport;
import io.quotashare.client.internal.JobProtos;
import io.quotashare.client.internal.QueueProtos;
import io.quotashare.proto.v1.GetUsageReportResponse;
import io.quotashare.proto.v1.WatchJobsResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What {@code quotashare demo --events FILE} wrote: events, and the ledger in the last line. */
record Recording(List<JobEvent> events, UsageReport report) {
  static Recording read(String resource) throws IOException {
    try (InputStream in = Recording.class.getResourceAsStream(resource)) {
      List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      List<JobEvent> events = new ArrayList<>();
      for (String line : lines.subList(0, lines.size() - 1)) {
        WatchJobsResponse.Builder event = WatchJobsResponse.newBuilder();
        JsonFormat.parser().merge(line, event);
        events.add(JobProtos.fromProto(event.build()));
      }
      GetUsageReportResponse.Builder report = GetUsageReportResponse.newBuilder();
      JsonFormat.parser().merge(lines.get(lines.size() - 1), report);
      return new Recording(List.copyOf(events), QueueProtos.fromProto(report.build()));
    }
  }
}
