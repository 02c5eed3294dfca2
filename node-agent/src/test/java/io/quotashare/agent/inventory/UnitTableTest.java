package io.quotashare.agent.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotashare.agent.nvml.MigAttributes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnitTableTest {
  private static final UnitTable TABLE = new UnitTable(Map.of());

  @ParameterizedTest
  @CsvSource({
    "2330, H100",
    "2331, H100",
    "2335, H200",
    "20B2, A100",
    "20F1, A100",
    "26B9, L40S",
    "2901, B200",
    "1DB5, V100",
    "1EB8, T4",
    "2237, A10G",
    "27B8, L4",
    "2235, A40",
    "20B7, A30",
    "2941, GB200"
  })
  void knownGpusAreTheirModel(String deviceId, String unit) {
    assertThat(TABLE.unit(id(deviceId), "whatever the driver says")).isEqualTo(unit);
  }

  @Test
  void everyUnitOfTheTableIsOneThatAConfigurationMayName() {
    assertThat(UnitTable.BUILT_IN).hasSizeGreaterThan(60);
    UnitTable.BUILT_IN.forEach(
        (deviceId, unit) -> {
          String hex = String.format("%04x", deviceId);
          assertThat(new UnitTable(Map.of(hex, unit)).unit(OptionalInt.of(deviceId), ""))
              .isEqualTo(unit);
        });
  }

  @Test
  void documentedTableIsThisTable() throws IOException {
    Map<Integer, String> documented = new HashMap<>();
    Pattern row = Pattern.compile("\\| `([^`]+)` \\| ([0-9a-f, ]+) \\|");
    for (String line : Files.readAllLines(Path.of("../docs/nvml.md"))) {
      Matcher cells = row.matcher(line);
      if (cells.matches()) {
        for (String deviceId : cells.group(2).split(", ")) {
          documented.put(Integer.valueOf(deviceId, 16), cells.group(1));
        }
      }
    }
    assertThat(documented).isEqualTo(UnitTable.BUILT_IN);
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA GeForce RTX 4090, GeForce-RTX-4090",
    "Tesla K80, K80",
    "NVIDIA H100 80GB HBM3 (stand-in), H100-80GB-HBM3",
    "NVIDIA A100-SXM4-40GB, A100-SXM4-40GB",
    "  Quadro   RTX 8000  , Quadro-RTX-8000"
  })
  void unknownGpusAreTheirCleanedName(String name, String unit) {
    assertThat(TABLE.unit(id("FFFF"), name)).isEqualTo(unit);
    assertThat(TABLE.unit(OptionalInt.empty(), name)).isEqualTo(unit);
  }

  @Test
  void gpuWithoutAnyNameHasAUnitAllTheSame() {
    assertThat(TABLE.unit(id("ABCD"), "")).isEqualTo("gpu-abcd");
    assertThat(TABLE.unit(OptionalInt.empty(), "NVIDIA")).isEqualTo("unknown");
    assertThat(TABLE.unit(OptionalInt.empty(), "x".repeat(95))).hasSize(63);
  }

  @Test
  void configurationGoesBeforeTheTableAndANameBeforeAnId() {
    UnitTable table =
        new UnitTable(
            Map.of(
                "20b0", "A100-40GB", "0x20B5", "A100-PCIE", "NVIDIA A100-SXM4-40GB", "A100-old"));
    assertThat(table.unit(id("20B0"), "other")).isEqualTo("A100-40GB");
    assertThat(table.unit(id("20B5"), "other")).isEqualTo("A100-PCIE");
    assertThat(table.unit(id("20B0"), "NVIDIA A100-SXM4-40GB")).isEqualTo("A100-old");
    assertThat(table.unit(id("20B2"), "other")).isEqualTo("A100");
  }

  @Test
  void malformedConfigurationNamesKeyAndValue() {
    assertThatThrownBy(() -> new UnitTable(Map.of("20B0", "A 100")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'20B0': 'A 100' (expected: ");
    assertThatThrownBy(() -> new UnitTable(Map.of(" ", "A100")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a blank key");
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA H100 80GB HBM3 MIG 1g.10gb, 1g.10gb",
    "NVIDIA A100-SXM4-40GB MIG 1c.3g.20gb, 1c.3g.20gb",
    "NVIDIA A100-SXM4-40GB MIG 1g.5gb+me, 1g.5gb+me",
    "NVIDIA H100 MIG 1g.10gb (odd), ''",
    "NVIDIA H100, ''"
  })
  void profileStandsAtTheEndOfAnInstancesName(String name, String profile) {
    assertThat(MigProfile.ofName(name).orElse("")).isEqualTo(profile);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 9728, 81559, 1g.10gb",
    "3, 3, 40448, 81559, 3g.40gb",
    "7, 7, 79872, 81559, 7g.80gb",
    "1, 1, 4864, 40960, 1g.5gb",
    "3, 1, 20096, 40960, 1c.3g.20gb",
    "1, 1, 5952, 24576, 1g.6gb",
    "1, 1, 16384, 143771, 1g.18gb"
  })
  void profileFollowsFromTheSize(
      int gpuSlices, int computeSlices, long memoryMib, long gpuMib, String profile) {
    assertThat(
            MigProfile.ofAttributes(
                new MigAttributes(gpuSlices, computeSlices, memoryMib), gpuMib << 20))
        .isEqualTo(profile);
  }

  @Test
  void profileOfAGpuOfUnknownSizeCannotBeWorkedOut() {
    assertThatThrownBy(() -> MigProfile.ofAttributes(new MigAttributes(1, 1, 1), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static OptionalInt id(String hex) {
    return OptionalInt.of(Integer.parseInt(hex, 16));
  }
}
