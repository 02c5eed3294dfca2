import io.quotashare.client.JobHandle;
import io.quotashare.client.JobResult;
import io.quotashare.client.JobSpec;
import io.quotashare.client.JobState;
import io.quotashare.client.QuotaShareClient;
import io.quotashare.client.QuotaShareException;
import java.time.Duration;

/**
 * A training launcher in one file: submits a job, says why it waits, follows it to its end, and
 * exits with 0 only if it succeeded.
 *
 * <pre>java -cp 'cli/target/lib/*' \
 *   examples/java-launcher/TrainingLauncher.java COMMAND ARGUMENTS...</pre>
 *
 * The scheduler is found by QUOTASHARE_SCHEDULER, else on this host.
 */
public final class TrainingLauncher {
  private TrainingLauncher() {}

  public static void main(String[] command) {
    String scheduler = System.getenv().getOrDefault("QUOTASHARE_SCHEDULER", "127.0.0.1:7070");
    JobSpec spec =
        JobSpec.builder("research", "background")
            .gpus(1)
            .priority(2)
            .command(command.length > 0 ? command : new String[] {"true"})
            .checkpointEvery(Duration.ofMinutes(10))
            .onDemandCheckpoint()
            .label("launcher", "java")
            .build();
    try (QuotaShareClient client = QuotaShareClient.connect(scheduler)) {
      // A request id is chosen by the client: should the connection break, nothing is submitted twice.
      JobHandle job = client.jobs().submit(spec);
      System.out.println(job.explain().summary());
      // A watch, not a poll; it outlives a restart of the scheduler.
      JobResult result = job.await();
      System.out.println(job.id() + " " + result.state() + " " + result.reason());
      System.exit(result.state() == JobState.SUCCEEDED ? 0 : 1);
    } catch (QuotaShareException e) {
      // One type for all refusals; e.reason() is the code, the message is for people.
      System.err.println(e.getMessage());
      System.exit(4);
    }
  }
}
