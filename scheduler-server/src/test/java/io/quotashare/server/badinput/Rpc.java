package io.quotashare.server.badinput;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import io.quotashare.proto.admin.v1.AdminServiceGrpc;
import io.quotashare.proto.agent.v1.AgentServiceGrpc;
import io.quotashare.proto.v1.JobServiceGrpc;
import io.quotashare.proto.v1.QueueServiceGrpc;
import io.quotashare.proto.v1.QuotaShareServiceGrpc;
import io.quotashare.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A method of the contract, called without its generated stub, so that none can be left out. */
record Rpc(MethodDescriptor<?, ?> method) {
  private static final List<ServiceDescriptor> SERVICES =
      List.of(
          JobServiceGrpc.getServiceDescriptor(),
          QuotaShareServiceGrpc.getServiceDescriptor(),
          QueueServiceGrpc.getServiceDescriptor(),
          AdminServiceGrpc.getServiceDescriptor(),
          AgentServiceGrpc.getServiceDescriptor());

  /** Every method of every service. */
  static List<Rpc> all() {
    return SERVICES.stream().flatMap(s -> s.getMethods().stream()).map(Rpc::new).toList();
  }

  /** Name without its package, such as {@code JobService/SubmitJob}. */
  String name() {
    String full = method.getFullMethodName();
    return full.substring(full.substring(0, full.indexOf('/')).lastIndexOf('.') + 1);
  }

  Message prototype() {
    return (Message)
        ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
            .getMessagePrototype();
  }

  Descriptor request() {
    return prototype().getDescriptorForType();
  }

  private Message responsePrototype() {
    return (Message)
        ((MethodDescriptor.PrototypeMarshaller<?>) method.getResponseMarshaller())
            .getMessagePrototype();
  }

  /**
   * What came of a call.
   *
   * @param status null if the call was not ended by the server, as a watch is not
   * @param responses what was answered before
   */
  record Outcome(@Nullable Status status, Metadata trailers, List<Message> responses) {
    /** The error; empty if the request was taken. */
    Optional<Status> error() {
      return Optional.ofNullable(status).filter(s -> !s.isOk());
    }
  }

  Outcome call(TestServer server, Message request) {
    return call(server, request.toByteArray());
  }

  /** Sends these bytes as the only message, and waits until the server has come to rest. */
  Outcome call(TestServer server, byte[] request) {
    MethodDescriptor<byte[], Message> raw =
        MethodDescriptor.<byte[], Message>newBuilder()
            .setType(method.getType())
            .setFullMethodName(method.getFullMethodName())
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(ProtoUtils.marshaller(responsePrototype()))
            .build();
    ClientCall<byte[], Message> call = server.channel().newCall(raw, CallOptions.DEFAULT);
    Listener listener = new Listener();
    call.start(listener, new Metadata());
    call.request(10_000);
    call.sendMessage(request);
    // A session goes on after its first message; every other client has said all.
    if (method.getType() != MethodType.BIDI_STREAMING) {
      call.halfClose();
    }
    server.settle();
    if (listener.status == null) {
      Outcome open = new Outcome(null, new Metadata(), List.copyOf(listener.responses));
      call.cancel("seen enough", null);
      server.settle();
      return open;
    }
    return new Outcome(listener.status, listener.trailers, List.copyOf(listener.responses));
  }

  private static final class Listener extends ClientCall.Listener<Message> {
    private final List<Message> responses = new ArrayList<>();
    private @Nullable Status status;
    private Metadata trailers = new Metadata();

    @Override
    public void onMessage(Message message) {
      responses.add(message);
    }

    @Override
    public void onClose(Status ended, Metadata with) {
      status = ended;
      trailers = with;
    }
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
