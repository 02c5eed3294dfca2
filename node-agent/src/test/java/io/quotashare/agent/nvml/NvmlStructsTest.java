package io.quotashare.agent.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Structure;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The layouts of the structs against a C compiler, and the C types against the layouts of the
 * specification (node-agent 1.4).
 */
class NvmlStructsTest {
  private static final Map<String, Structure> STRUCTS =
      Map.of(
          "nvmlPciInfo_t", new NvmlStructs.Pci(),
          "nvmlMemory_t", new NvmlStructs.MemoryV1(),
          "nvmlMemory_v2_t", new NvmlStructs.MemoryV2(),
          "nvmlDeviceAttributes_t", new NvmlStructs.Attributes(),
          "nvmlFieldValue_t", new NvmlStructs.FieldValue());

  private static final Map<String, Integer> SPECIFIED_SIZES =
      Map.of(
          "nvmlPciInfo_t", 68,
          "nvmlMemory_t", 24,
          "nvmlMemory_v2_t", 40,
          "nvmlDeviceAttributes_t", 40,
          "nvmlFieldValue_t", 40,
          "nvmlProcessInfo_v1_t", 16,
          "nvmlProcessInfo_v2_t", 24,
          "nvmlProcessDetail_v1_t", 32);

  @TempDir Path folder;

  @Test
  void layoutsAreThoseOfTheCCompiler() throws Exception {
    Map<String, Integer> wanted = new LinkedHashMap<>();
    Map<String, Integer> expected = new LinkedHashMap<>();
    for (Map.Entry<String, Structure> struct : STRUCTS.entrySet()) {
      wanted.put("sizeof(" + struct.getKey() + ")", struct.getValue().size());
      for (Field field : struct.getValue().getClass().getDeclaredFields()) {
        if (Modifier.isPublic(field.getModifiers()) && !Modifier.isStatic(field.getModifiers())) {
          wanted.put(
              "offsetof(" + struct.getKey() + ", " + field.getName() + ")",
              offset(struct.getValue(), field.getName()));
        }
      }
    }
    expected.putAll(evaluate(List.copyOf(wanted.keySet())));
    assertThat(wanted).hasSizeGreaterThan(30).isEqualTo(expected);
  }

  @Test
  void sizesAreThoseOfTheSpecification() throws Exception {
    Map<String, Integer> expected = new LinkedHashMap<>();
    SPECIFIED_SIZES.forEach((name, size) -> expected.put("sizeof(" + name + ")", size));
    assertThat(evaluate(List.copyOf(expected.keySet()))).isEqualTo(expected);
  }

  @Test
  void processRecordsHaveTheStridesThatAreProbed() throws Exception {
    Map<String, Integer> sizes =
        evaluate(
            List.of(
                "sizeof(nvmlProcessInfo_v1_t)",
                "sizeof(nvmlProcessInfo_v2_t)",
                "sizeof(nvmlProcessDetail_v1_t)",
                "offsetof(nvmlProcessInfo_v2_t, pid)"));
    assertThat(List.copyOf(sizes.values()).subList(0, 3)).isEqualTo(ProcessList.STRIDES);
    assertThat(sizes).containsEntry("offsetof(nvmlProcessInfo_v2_t, pid)", 0);
  }

  @Test
  void versionWordHoldsSizeAndVersion() {
    assertThat(new NvmlStructs.MemoryV2().version).isEqualTo(0x02000028);
  }

  /** Compiles a program that prints the value of each expression, one a line. */
  private Map<String, Integer> evaluate(List<String> expressions)
      throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    lines.add("#include <stddef.h>");
    lines.add("#include <stdio.h>");
    lines.add("#include \"" + StubNvml.source("nvml-types.h") + "\"");
    lines.add("int main(void) {");
    expressions.forEach(e -> lines.add("printf(\"%zu\\n\", (size_t)" + e + ");"));
    lines.add("}");
    Path source = Files.write(folder.resolve("layout.c"), lines);
    Path program = folder.resolve("layout");
    StubNvml.compile(program, List.of(source.toString()));
    Process process = new ProcessBuilder(program.toString()).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    assertThat(process.waitFor()).isZero();
    List<Integer> values = output.lines().map(Integer::valueOf).toList();
    Map<String, Integer> result = new LinkedHashMap<>();
    for (int i = 0; i < expressions.size(); i++) {
      result.put(expressions.get(i), values.get(i));
    }
    return result;
  }

  private static int offset(Structure struct, String field) throws ReflectiveOperationException {
    Method offset = Structure.class.getDeclaredMethod("fieldOffset", String.class);
    offset.setAccessible(true);
    return (int) offset.invoke(struct, field);
  }
}
