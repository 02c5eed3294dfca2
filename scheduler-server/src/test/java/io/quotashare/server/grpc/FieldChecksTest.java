package io.quotashare.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.StatusRuntimeException;
import io.quotashare.server.ErrorInfos;
import org.junit.jupiter.api.Test;

class FieldChecksTest {
  @Test
  void valuesAreShownShortAndOnOneLine() {
    assertThat(FieldChecks.shown("")).isEqualTo("empty");
    assertThat(FieldChecks.shown("a\nb\0")).isEqualTo("a\\u000ab\\u0000");
    assertThat(FieldChecks.shown("x".repeat(100))).hasSize(67).endsWith("...");
  }

  @Test
  void manyViolationsAreCounted() {
    FieldChecks checks = new FieldChecks();
    for (int i = 0; i < 50; i++) {
      checks.in("list[" + i + "]").check(false, "x", i, "something else");
    }

    StatusRuntimeException error =
        catchThrowableOfType(StatusRuntimeException.class, checks::throwIfAny);

    assertThat(ErrorInfos.fields(error)).hasSize(20).startsWith("list[0].x");
    assertThat(error.getStatus().getDescription()).endsWith("and 30 more");
  }
}
