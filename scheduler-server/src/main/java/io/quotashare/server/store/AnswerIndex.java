package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Which requests have an answer, oldest first, and which of the answers are to be forgotten. */
final class AnswerIndex {
  /** Answers that one commit forgets at most, beyond as many as it adds. */
  static final int MAX_FORGOTTEN = 500;

  /**
   * An answer that is kept.
   *
   * @param atMillis when it was given
   * @param checksum checksum of its row; 0 where there are no rows
   */
  record Entry(long atMillis, long checksum) {}

  private final StoreLimits limits;
  private final Map<RequestKey, Entry> entries = new LinkedHashMap<>();

  AnswerIndex(StoreLimits limits) {
    this.limits = limits;
  }

  boolean contains(RequestKey key) {
    return entries.containsKey(key);
  }

  @Nullable Entry get(RequestKey key) {
    return entries.get(key);
  }

  /** Throws if the batch answers a request a second time. */
  void check(CommitBatch batch) {
    for (RequestAnswer answer : batch.answers()) {
      checkArgument(!entries.containsKey(answer.key()), "answered already: %s", answer.key());
    }
  }

  /**
   * Answers to forget with the next batch: too old at its time, or too many with those that it
   * adds; a bounded number, oldest first.
   */
  List<RequestKey> toForget(long atMillis, int adding) {
    List<RequestKey> forget = new ArrayList<>();
    int excess = entries.size() + adding - limits.maxAnswers();
    for (Map.Entry<RequestKey, Entry> entry : entries.entrySet()) {
      if (forget.size() >= adding + MAX_FORGOTTEN) {
        break;
      }
      boolean expired = entry.getValue().atMillis() <= atMillis - limits.answerRetentionMillis();
      if (!expired && forget.size() >= excess) {
        break;
      }
      forget.add(entry.getKey());
    }
    return forget;
  }

  /** From when on a batch forgets something; empty if nothing is kept. */
  OptionalLong nextRemovalMillis() {
    if (entries.isEmpty()) {
      return OptionalLong.empty();
    }
    if (entries.size() > limits.maxAnswers()) {
      return OptionalLong.of(0);
    }
    Entry oldest = entries.values().iterator().next();
    return OptionalLong.of(oldest.atMillis() + limits.answerRetentionMillis());
  }

  int size() {
    return entries.size();
  }

  void add(RequestKey key, Entry entry) {
    entries.put(key, entry);
  }

  void forget(List<RequestKey> keys) {
    keys.forEach(entries::remove);
  }

  void clear() {
    entries.clear();
  }
}
