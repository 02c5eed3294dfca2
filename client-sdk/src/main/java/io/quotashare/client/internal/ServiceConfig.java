package io.quotashare.client.internal;

import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.QueueServiceGrpc;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What gRPC does by itself for a call. Only UNAVAILABLE is retried, and only for reads and for
 * calls with a request id, which cannot have their effect twice. Streams are not in the list:
 * watches and logs resume where they broke, which is more than a retry.
 */
final class ServiceConfig {
  /** Every service of the contract that a client calls. */
  private static final List<ServiceDescriptor> SERVICES =
      List.of(
          JobServiceGrpc.getServiceDescriptor(),
          QuotaShareServiceGrpc.getServiceDescriptor(),
          QueueServiceGrpc.getServiceDescriptor(),
          AdminServiceGrpc.getServiceDescriptor());

  private ServiceConfig() {}

  /** All calls with one response: each is a read, or this client gives it a request id. */
  static List<MethodDescriptor<?, ?>> retried() {
    return SERVICES.stream()
        .flatMap(service -> service.getMethods().stream())
        .filter(method -> method.getType() == MethodDescriptor.MethodType.UNARY)
        .toList();
  }

  /**
   * The configuration.
   *
   * @param severalAddresses true: only schedulers whose health service says SERVING are used, which
   *     is how the leader among several is found
   */
  static Map<String, Object> of(boolean severalAddresses) {
    Map<String, Object> config = new HashMap<>();
    List<Map<String, String>> names = new ArrayList<>();
    for (MethodDescriptor<?, ?> method : retried()) {
      names.add(
          Map.of(
              "service", String.valueOf(method.getServiceName()),
              "method", String.valueOf(method.getBareMethodName())));
    }
    Map<String, Object> policy =
        Map.of(
            "maxAttempts",
            5.0,
            "initialBackoff",
            "0.1s",
            "maxBackoff",
            "2s",
            "backoffMultiplier",
            2.0,
            "retryableStatusCodes",
            List.of("UNAVAILABLE"));
    config.put("methodConfig", List.of(Map.of("name", names, "retryPolicy", policy)));
    if (severalAddresses) {
      config.put("loadBalancingConfig", List.of(Map.of("round_robin", Map.of())));
      config.put("healthCheckConfig", Map.of("serviceName", ""));
    }
    return config;
  }
}
