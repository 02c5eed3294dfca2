package io.quotashare.benchmarks;

import io.quotashare.benchmarks.Cluster.Size;
import io.quotashare.core.Batch;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A checksum of everything that the scheduler decides in each workload: rows, messages to agents
 * and events, to the last byte. A change that is meant for speed alone leaves it as it was; run it
 * before and after.
 */
final class Digest {
  private static final int JOBS = 3_000;
  private static final int STEPS = 400;

  private final MessageDigest sha256;

  private Digest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  static void print(PrintStream out) {
    out.println("drain                " + drain(Size.even(100, 8, 30)));
    out.println("drain, many shares   " + drain(Size.even(60, 8, 200)));
    out.println("turnover             " + turnover());
    out.println("reclaim              " + reclaim(Reclaim.wide(1_000)));
    out.println("reclaim, little lent " + reclaim(Reclaim.tight(2_000)));
    out.println("reclaim, whole nodes " + reclaim(Reclaim.wholeNodes(400)));
  }

  private static String drain(Size size) {
    Digest digest = new Digest();
    Drain drain = new Drain(size, JOBS);
    drain.cluster().observe(digest::take);
    while (!drain.isDone()) {
      drain.decide();
      drain.endAll();
    }
    return digest.text();
  }

  private static String turnover() {
    Digest digest = new Digest();
    Turnover turnover = new Turnover(Size.even(50, 8, 30), 500);
    turnover.cluster().observe(digest::take);
    for (int s = 0; s < STEPS; s++) {
      turnover.step();
    }
    return digest.text();
  }

  private static String reclaim(Reclaim reclaim) {
    Digest digest = new Digest();
    reclaim.cluster().observe(digest::take);
    reclaim.decide();
    return digest.text();
  }

  private void take(Batch batch) {
    String text = batch.changes() + "\n" + batch.effects() + "\n" + batch.events() + "\n";
    sha256.update(text.getBytes(StandardCharsets.UTF_8));
  }

  private String text() {
    return HexFormat.of().formatHex(sha256.digest());
  }
}
