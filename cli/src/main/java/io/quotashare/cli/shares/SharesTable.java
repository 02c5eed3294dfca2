package io.quotashare.cli.shares;

import io.quotashare.cli.Session;
import io.quotashare.cli.output.TableWriter;
import io.quotashare.client.PoolUsage;
import io.quotashare.client.PreemptionMode;
import io.quotashare.client.QueueSnapshot;
import io.quotashare.client.ShareStatus;

/** The shares of a queue, and the line that accounts for every device. */
final class SharesTable {
  private final Session session;

  SharesTable(Session session) {
    this.session = session;
  }

  void write(QueueSnapshot snapshot) {
    boolean severalUnits = snapshot.pools().size() > 1;
    new TableWriter(session.style())
        .write(
            session.out(),
            ShareTexts.shareColumns(severalUnits),
            ShareTexts.lines(snapshot.shares()));
    String queue = snapshot.queue().id();
    for (PoolUsage pool : snapshot.pools()) {
      session.out().println(ShareTexts.poolLine(queue, pool, severalUnits));
      if (pool.overcommitted() > 0) {
        session
            .out()
            .println(
                queue
                    + " guarantees "
                    + ShareTexts.count(pool.overcommitted())
                    + " more than there are: limits hold only as far as the devices go");
      }
      if (ShareTexts.sum(pool) != pool.total()) {
        session.note(
            "the scheduler's numbers do not add up ("
                + ShareTexts.sum(pool)
                + " of "
                + pool.total()
                + "): please report this as a fault of the scheduler");
      }
    }
    for (ShareStatus share : snapshot.shares()) {
      if (share.removing()) {
        session.out().println("share " + share.share().id() + " is " + ShareTexts.REMOVING);
      }
    }
    if (snapshot.queue().preemptionMode() == PreemptionMode.OBSERVE_ONLY) {
      session
          .out()
          .println(queue + " only observes: whom it would stop is recorded, nobody is stopped");
    }
    if (snapshot.pools().isEmpty()) {
      session.out().println(queue + ": 0 GPUs; no node of the queue has reported a device yet");
    }
    session.out().flush();
  }
}
