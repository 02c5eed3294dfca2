package io.quotashare.cli.nodes;

import io.quotashare.cli.CommandGroup;
import io.quotashare.cli.ExitCode;
import io.quotashare.cli.ListCommand;
import io.quotashare.cli.RequestIdOption;
import io.quotashare.cli.Session;
import io.quotashare.cli.SessionCommand;
import io.quotashare.cli.output.Format;
import io.quotashare.cli.output.Sheet;
import io.quotashare.cli.output.TableWriter;
import io.quotashare.cli.output.Times;
import io.quotashare.client.AdminClient;
import io.quotashare.client.Node;
import io.quotashare.client.internal.Blocking;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code quotashare node}: one node. */
@Command(
    name = "node",
    description = "Look at one node, or take it out of use and back.",
    footer = {"  quotashare node get n1", "  quotashare node drain n1"},
    subcommands = {
      NodeCommand.Get.class,
      NodeCommand.Cordon.class,
      NodeCommand.Uncordon.class,
      NodeCommand.Drain.class,
      NodeCommand.Fence.class
    })
public final class NodeCommand extends CommandGroup {
  /** {@code quotashare node get}. */
  @Command(
      name = "get",
      description = "Show a node and its devices.",
      footer = {"  quotashare node get n1"})
  static final class Get extends ListCommand {
    @Parameters(paramLabel = "NODE", description = "Name of the node.")
    private String node = "";

    @Override
    protected void show(Session session, Format format) {
      Node found = session.client().nodes().get(node);
      session
          .printer()
          .one(format, NodeTexts.nodes(session.now()), found, out -> write(session, out, found));
    }

    private static void write(Session session, PrintWriter out, Node node) {
      Sheet sheet = new Sheet(session.style());
      sheet.add("node", node.id());
      sheet.add("state", node.state().name(), NodeTexts.tone(node.state()));
      sheet.add("queue", node.queue().isEmpty() ? "none selects it" : node.queue());
      sheet.addUnlessEmpty("labels", NodeTexts.labels(node));
      sheet.add("heard", Times.between(node.lastHeartbeat(), session.now()) + " ago");
      sheet.addUnlessEmpty("address", node.address());
      sheet.addUnlessEmpty("agent", node.agentVersion());
      sheet.addUnlessEmpty("driver", node.driverVersion());
      sheet.add("device library", NodeTexts.library(node));
      sheet.write(out);
      if (!node.devices().isEmpty()) {
        out.println();
        new TableWriter(session.style()).write(out, NodeTexts.devices(), node.devices());
      }
    }
  }

  /** What an operator does to nodes, one after another. */
  @Command
  abstract static class Change extends SessionCommand {
    @Parameters(arity = "1..*", paramLabel = "NODE", description = "Names of nodes.")
    private List<String> nodes = new ArrayList<>();

    @Mixin private RequestIdOption requestId = new RequestIdOption();

    abstract CompletableFuture<Void> change(AdminClient admin, String node, @Nullable UUID id);

    abstract String done();

    @Override
    protected final int run(Session session) {
      AdminClient admin = session.client().admin();
      for (String node : nodes) {
        UUID id = nodes.size() == 1 ? requestId.get() : requestId.of(node);
        Blocking.get(change(admin, node, id));
        session.note(node + " " + done());
      }
      return ExitCode.OK;
    }
  }

  /** {@code quotashare node cordon}. */
  @Command(
      name = "cordon",
      description = "Place nothing new on nodes; what runs goes on.",
      footer = {"  quotashare node cordon n1 n2"})
  static final class Cordon extends Change {
    @Override
    CompletableFuture<Void> change(AdminClient admin, String node, @Nullable UUID id) {
      return admin.cordonAsync(node, id);
    }

    @Override
    String done() {
      return "is cordoned: it takes nothing new, what runs goes on";
    }
  }

  /** {@code quotashare node uncordon}. */
  @Command(
      name = "uncordon",
      description = "End cordoning or draining.",
      footer = {"  quotashare node uncordon n1"})
  static final class Uncordon extends Change {
    @Override
    CompletableFuture<Void> change(AdminClient admin, String node, @Nullable UUID id) {
      return admin.uncordonAsync(node, id);
    }

    @Override
    String done() {
      return "takes work again";
    }
  }

  /** {@code quotashare node drain}. */
  @Command(
      name = "drain",
      description = "Move what runs on nodes elsewhere, checkpoint first.",
      footer = {"  quotashare node drain n1"})
  static final class Drain extends Change {
    @Override
    CompletableFuture<Void> change(AdminClient admin, String node, @Nullable UUID id) {
      return admin.drainAsync(node, id);
    }

    @Override
    String done() {
      return "is being drained: its jobs save, stop and wait for another place";
    }
  }

  /** {@code quotashare node fence}. */
  @Command(
      name = "fence",
      description = {
        "Declare that nothing runs on silent nodes any more, so that their jobs start elsewhere.",
        "Only after you have made sure that they are off: two copies of a job spoil its data."
      },
      footer = {"  quotashare node fence n1"})
  static final class Fence extends Change {
    @Override
    CompletableFuture<Void> change(AdminClient admin, String node, @Nullable UUID id) {
      return admin.fenceAsync(node, id);
    }

    @Override
    String done() {
      return "is fenced: its jobs may start elsewhere";
    }
  }
}
