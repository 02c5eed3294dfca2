package io.quotashare.server.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.proto.v1.ListJobsRequest;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;

class PagesTest {
  private static final ListJobsRequest LIST =
      ListJobsRequest.newBuilder()
          .setParent("queues/a")
          .putLabels("a", "1")
          .putLabels("b", "2")
          .build();

  @Property(tries = 200)
  void tokenGivesTheKeyBack(@ForAll @AlphaChars @NotEmpty String key) {
    assertThat(Pages.after(LIST, Pages.token(LIST, key))).isEqualTo(key);
  }

  @Property(tries = 200)
  void noTextIsATokenByChance(@ForAll @NotEmpty String text) {
    assertThatThrownBy(() -> Pages.after(LIST, text)).hasMessageContaining("page_token");
  }

  @Test
  void orderOfLabelsDoesNotMatter() {
    ListJobsRequest same =
        ListJobsRequest.newBuilder()
            .setParent("queues/a")
            .putLabels("b", "2")
            .putLabels("a", "1")
            .build();

    assertThat(Pages.after(same, Pages.token(LIST, "x"))).isEqualTo("x");
  }

  @Test
  void sizesHaveADefaultAndABound() {
    assertThat(Pages.size(0, 100)).isEqualTo(100);
    assertThat(Pages.size(1000, 100)).isEqualTo(1000);
    assertThatThrownBy(() -> Pages.size(1001, 100)).hasMessageContaining("page_size");
  }
}
