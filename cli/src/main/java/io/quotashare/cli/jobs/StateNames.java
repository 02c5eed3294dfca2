package io.quotashare.cli.jobs;

import io.quotashare.cli.policy.Known;
import io.quotashare.cli.yaml.Suggestions;
import io.quotashare.client.JobState;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The states that a user may name: all but the one for unknown values of a scheduler. */
final class StateNames implements Iterable<String>, ITypeConverter<JobState> {
  private static final List<String> NAMES =
      Known.of(JobState.class).stream().map(Enum::name).toList();

  @Override
  public Iterator<String> iterator() {
    return NAMES.iterator();
  }

  @Override
  public JobState convert(String text) {
    if (!NAMES.contains(text)) {
      throw new TypeConversionException(
          "\"" + text + "\" is not a state" + Suggestions.hint(text, NAMES));
    }
    return JobState.valueOf(text);
  }
}
