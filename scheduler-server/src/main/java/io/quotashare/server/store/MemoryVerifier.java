package io.quotashare.server.store;

import io.quotashare.core.Change;

/** Verifies what a {@link MemoryStateStore} holds. The caller holds the content's monitor. */
final class MemoryVerifier {
  private final MemoryContent content;
  private final Verifier verifier;
  private final Findings findings = new Findings();
  private final StateVerifier contradictions = new StateVerifier("memory");

  MemoryVerifier(MemoryContent content, Verifier verifier) {
    this.content = content;
    this.verifier = verifier;
  }

  Verification run() {
    for (Entity<?, ?> entity : Entities.ALL) {
      check(entity);
    }
    try {
      contradictions.finish();
    } catch (DamagedStateException e) {
      findings.add(e);
    }
    verifier.missing().forEach(findings::add);
    return findings.at(content.last());
  }

  private <T, P extends Change> void check(Entity<T, P> entity) {
    content.table(entity).forEach((key, value) -> check(entity, key, entity.rowType().cast(value)));
  }

  private <T, P extends Change> void check(Entity<T, P> entity, RowKey key, T row) {
    findings.row();
    String problem = verifier.check(entity.put().apply(row));
    if (!problem.isEmpty()) {
      findings.add(entity.table(), key.toString(), problem);
    }
    try {
      contradictions.accept(entity, key, row);
    } catch (DamagedStateException e) {
      findings.add(e);
    }
  }
}
