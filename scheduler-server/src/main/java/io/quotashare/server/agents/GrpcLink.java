package io.quotashare.server.agents;

import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.quotashare.proto.agent.v1.SessionResponse;

/** A stream of the network to an agent. */
final class GrpcLink implements AgentLink {
  private final ServerCallStreamObserver<SessionResponse> observer;

  GrpcLink(ServerCallStreamObserver<SessionResponse> observer) {
    this.observer = observer;
  }

  @Override
  public boolean isReady() {
    return observer.isReady();
  }

  @Override
  public void send(SessionResponse message) {
    observer.onNext(message);
  }

  @Override
  public void complete() {
    observer.onCompleted();
  }

  @Override
  public void close(StatusRuntimeException why) {
    observer.onError(why);
  }
}
