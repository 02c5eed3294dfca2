package io.quotashare.server.store;

import static io.quotashare.core.model.Check.checkArgument;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which requests have an answer, oldest first, and which of the answers are to be forgotten. */
final class AnswerIndex {
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
   * adds.
   */
  List<RequestKey> toForget(long atMillis, int adding) {
    List<RequestKey> forget = new ArrayList<>();
    int excess = entries.size() + adding - limits.maxAnswers();
    for (Map.Entry<RequestKey, Entry> entry : entries.entrySet()) {
      boolean expired = entry.getValue().atMillis() <= atMillis - limits.answerRetentionMillis();
      if (!expired && forget.size() >= excess) {
        break;
      }
      forget.add(entry.getKey());
    }
    return forget;
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
