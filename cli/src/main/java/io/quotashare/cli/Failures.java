package io.quotashare.cli;

import io.quotashare.cli.console.Outside;
import io.quotashare.cli.output.Times;
import io.quotashare.cli.yaml.InvalidFileException;
import io.quotashare.cli.yaml.Suggestions;
import io.quotashare.client.CallTimedOutException;
import io.quotashare.client.FieldProblem;
import io.quotashare.client.QuotaShareException;
import io.quotashare.client.SchedulerUnavailableException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.UnaryOperator;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says on standard error what went wrong and what to do, and picks the exit code. */
final class Failures {
  private static final String NAME = "quotashare: ";

  private final Outside outside;

  Failures(Outside outside) {
    this.outside = outside;
  }

  /** What was typed does not fit the command. */
  static int onUsage(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    err.println(NAME + e.getMessage());
    String name = command.getCommandSpec().qualifiedName();
    err.println(
        suggestion(e)
            .map(word -> "Did you mean: " + name + " " + word)
            .orElse("See: " + name + " --help"));
    err.flush();
    return ExitCode.USAGE;
  }

  private static Optional<String> suggestion(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return Optional.empty();
    }
    String word = unmatched.getUnmatched().get(0);
    CommandLine command = e.getCommandLine();
    return Suggestions.nearest(
        word,
        word.startsWith("-")
            ? command.getCommandSpec().optionsMap().keySet()
            : command.getSubcommands().keySet());
  }

  /** What a command threw. */
  int onFailure(Exception e, CommandLine command, ParseResult parsed) {
    command.getOut().flush();
    PrintWriter err = command.getErr();
    Object program = command.getCommandSpec().userObject();
    UnaryOperator<String> words =
        program instanceof SpeaksInFlags flags ? flags::inFlags : UnaryOperator.identity();
    int code = say(e, words, err);
    if (!outside.variables().getOrDefault("QUOTASHARE_DEBUG", "").isEmpty()) {
      e.printStackTrace(err);
    }
    err.flush();
    return code;
  }

  /**
   * Says why one of several was refused, and goes on.
   *
   * @param what the one that it is about
   */
  static int sayOne(String what, QuotaShareException e, PrintWriter err) {
    int code = sayAnswer(NAME + what + ": ", e, UnaryOperator.identity(), err);
    err.flush();
    return code;
  }

  private static int say(Exception e, UnaryOperator<String> words, PrintWriter err) {
    if (e instanceof InvalidFileException) {
      err.println(e.getMessage());
      return ExitCode.USAGE;
    }
    if (e instanceof UsageException || e instanceof IllegalArgumentException) {
      err.println(NAME + words.apply(String.valueOf(e.getMessage())));
      return ExitCode.USAGE;
    }
    if (e instanceof RefusedException) {
      err.println(NAME + e.getMessage());
      return ExitCode.REFUSED;
    }
    if (e instanceof QuotaShareException answer) {
      return sayAnswer(NAME, answer, words, err);
    }
    err.println(
        NAME + "this is a fault of the program: " + e + " (QUOTASHARE_DEBUG=1 shows where)");
    return ExitCode.NOT_SO;
  }

  private static int sayAnswer(
      String begin, QuotaShareException answer, UnaryOperator<String> words, PrintWriter err) {
    if (answer instanceof SchedulerUnavailableException) {
      String hint =
          answer.reason().isEmpty()
              ? ". Start one with ./quotashare server --dev, or name its address with --scheduler,"
                  + " QUOTASHARE_SCHEDULER or a context"
              : " (" + answer.reason() + ")";
      err.println(begin + answer.getMessage() + hint);
      return ExitCode.UNREACHABLE;
    }
    if (answer instanceof CallTimedOutException) {
      err.println(
          begin + answer.getMessage() + ". It may have had its effect: look before you repeat");
      return ExitCode.UNREACHABLE;
    }
    String message = String.valueOf(answer.getMessage());
    String reason = answer.reason().isEmpty() ? "" : " (" + answer.reason() + ")";
    err.println(begin + "refused: " + words.apply(message) + reason);
    for (FieldProblem field : answer.fields()) {
      if (!message.contains(field.message())) {
        err.println("  " + words.apply(field.toString()));
      }
    }
    if (answer.retryAfter() != null) {
      err.println("  try again in " + Times.rounded(answer.retryAfter()));
    }
    return ExitCode.REFUSED;
  }
}
