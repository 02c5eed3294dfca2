package io.quotashare.server.store;

import static java.util.Objects.requireNonNull;

/**
 * Which preemptions.
 *
 * @param queue only of this queue; empty for all
 * @param share only victims of this share id; empty for all
 * @param job only victims and beneficiaries of this job id; empty for all
 * @param pageSize 1 to {@link StateStore#MAX_PAGE_SIZE}
 * @param pageToken token of the previous page; empty for the first
 */
public record PreemptionQuery(
    String queue, String share, String job, int pageSize, String pageToken) {
  public PreemptionQuery {
    requireNonNull(queue, "queue is null");
    requireNonNull(share, "share is null");
    requireNonNull(job, "job is null");
    Page.checkSize(pageSize);
    requireNonNull(pageToken, "pageToken is null");
  }

  /** Those of any job. */
  public PreemptionQuery(String queue, String share, int pageSize, String pageToken) {
    this(queue, share, "", pageSize, pageToken);
  }
}
