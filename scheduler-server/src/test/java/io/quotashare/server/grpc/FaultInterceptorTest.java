package io.quotashare.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.stub.StreamObserver;
import io.quotashare.proto.v1.GetJobRequest;
import io.quotashare.proto.v1.GetJobResponse;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.server.ErrorInfos;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class FaultInterceptorTest {
  @Test
  void faultInAHandlerIsInternalAndTellsNoSecrets() throws IOException {
    String name = InProcessServerBuilder.generateName();
    Server server =
        InProcessServerBuilder.forName(name)
            .directExecutor()
            .intercept(new FaultInterceptor())
            .addService(
                new JobServiceGrpc.JobServiceImplBase() {
                  @Override
                  public void getJob(
                      GetJobRequest request, StreamObserver<GetJobResponse> observer) {
                    throw new IllegalStateException("canary");
                  }
                })
            .build()
            .start();
    ManagedChannel channel = InProcessChannelBuilder.forName(name).directExecutor().build();
    try {
      StatusRuntimeException error =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  JobServiceGrpc.newBlockingStub(channel)
                      .getJob(GetJobRequest.getDefaultInstance()));

      assertThat(error.getStatus().getCode()).isEqualTo(Status.Code.INTERNAL);
      assertThat(ErrorInfos.reason(error)).isEqualTo("INTERNAL");
      assertThat(error.toString()).doesNotContain("canary");
    } finally {
      channel.shutdownNow();
      server.shutdownNow();
    }
  }
}
