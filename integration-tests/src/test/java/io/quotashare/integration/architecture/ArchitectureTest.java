package io.quotashare.integration.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.CompositeArchRule;
import java.util.List;
import java.util.Set;

/**
 * Holds the arrows between the modules, the purity of the core and the single place where a daemon
 * reads the clock. Rules accept packages without classes: a module may be empty.
 */
@AnalyzeClasses(packages = "io.quotashare", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  private static final String OURS = "io.quotashare..";
  private static final String CORE = "io.quotashare.core..";
  private static final String PROTO = "io.quotashare.proto..";
  private static final String SERVER = "io.quotashare.server..";
  private static final String AGENT = "io.quotashare.agent..";
  private static final String CLIENT = "io.quotashare.client..";
  private static final String CLI = "io.quotashare.cli..";
  private static final String TESTING = "io.quotashare.testing..";

  /** The one class of a daemon that may read the system's clocks. */
  private static final String CLOCK_CLASS = "SystemClock";

  @ArchTest static final ArchRule protoStandsAlone = mayUseOfOurs(PROTO);

  @ArchTest static final ArchRule coreStandsAlone = mayUseOfOurs(CORE);

  @ArchTest static final ArchRule serverUsesCoreAndProto = mayUseOfOurs(SERVER, CORE, PROTO);

  @ArchTest static final ArchRule agentUsesProto = mayUseOfOurs(AGENT, PROTO);

  @ArchTest static final ArchRule clientUsesProto = mayUseOfOurs(CLIENT, PROTO);

  @ArchTest
  static final ArchRule cliUsesClientCoreAndProto = mayUseOfOurs(CLI, CLIENT, CORE, PROTO);

  @ArchTest
  static final ArchRule testKitUsesBothDaemonsAndTheClient =
      mayUseOfOurs(TESTING, SERVER, AGENT, CLIENT, CORE, PROTO);

  @ArchTest
  static final ArchRule corePullsInNoIoThreadsClockOrRandomness =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(
                      "java.io..",
                      "java.nio.file..",
                      "java.nio.channels..",
                      "java.net..",
                      "java.sql..",
                      "java.util.concurrent..",
                      "java.util.logging..",
                      "org.slf4j..")
                  .or(
                      named(
                          "java.time.Clock",
                          "java.lang.Thread",
                          "java.lang.ThreadLocal",
                          "java.lang.Process",
                          "java.lang.ProcessBuilder",
                          "java.lang.Runtime",
                          "java.util.Random",
                          "java.util.Timer",
                          "java.util.TimerTask",
                          "java.security.SecureRandom"))
                  // Only a marker: says nothing about I/O.
                  .and(DescribedPredicate.not(named("java.io.Serializable"))))
          .because("the core is a pure function of state, event and time")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule coreCallsNoClockOrRandomness =
      noClasses()
          .that()
          .resideInAPackage(CORE)
          .should()
          .accessTargetWhere(
              clockAccess()
                  .or(member("java.lang.Math", "random"))
                  .or(member("java.util.UUID", "randomUUID"))
                  .or(member("java.util.Collections", "shuffle"))
                  .or(member("java.lang.System", "getenv|getProperty|out|err|in|exit")))
          .because("the same input must give the same decision on every run")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule daemonsReadTheClockInOnePlace =
      noClasses()
          .that()
          .resideInAnyPackage(SERVER, AGENT)
          .and()
          .doNotHaveSimpleName(CLOCK_CLASS)
          .should()
          .accessTargetWhere(clockAccess())
          .because("time is passed in, so that a test can stand in for the clock")
          .allowEmptyShould(true);

  @ArchTest
  static void eachDaemonHasAtMostOneClockClass(JavaClasses classes) {
    for (String module : List.of(SERVER, AGENT)) {
      Set<String> clocks =
          Set.copyOf(
              classes.stream()
                  .filter(resideInAPackage(module))
                  .filter(c -> c.getSimpleName().equals(CLOCK_CLASS))
                  .map(JavaClass::getName)
                  .collect(toList()));
      assertThat(clocks).as("classes named %s in %s", CLOCK_CLASS, module).hasSizeLessThan(2);
    }
  }

  @ArchTest
  static final ArchRule daemonsKeepStandardOutputFree =
      noClasses()
          .that()
          .resideInAnyPackage(SERVER, AGENT, CLIENT)
          .should()
          .callMethod(Throwable.class, "printStackTrace")
          .because("errors go to the log")
          .allowEmptyShould(true);

  /** The classes of {@code pkg} depend on nothing of ours but themselves and {@code allowed}. */
  private static ArchRule mayUseOfOurs(String pkg, String... allowed) {
    return CompositeArchRule.of(
            noClasses()
                .that()
                .resideInAPackage(pkg)
                .should()
                .dependOnClassesThat(
                    resideInAPackage(OURS)
                        .and(DescribedPredicate.not(resideInAPackage(pkg)))
                        .and(DescribedPredicate.not(resideInAnyPackage(allowed))))
                .allowEmptyShould(true))
        .because("the arrows between modules run one way");
  }

  private static DescribedPredicate<JavaClass> named(String... names) {
    Set<String> wanted = Set.of(names);
    return DescribedPredicate.describe(
        "named " + String.join(", ", names), c -> wanted.contains(c.getName()));
  }

  private static DescribedPredicate<JavaAccess<?>> clockAccess() {
    return member("java.time.[A-Za-z]+", "now|systemUTC|systemDefaultZone|system|tick.*")
        .or(member("java.lang.System", "nanoTime|currentTimeMillis"));
  }

  /** A field, method or method reference of the class and with the name that match. */
  private static DescribedPredicate<JavaAccess<?>> member(String ownerRegex, String nameRegex) {
    return DescribedPredicate.describe(
        ownerRegex + "." + nameRegex,
        access ->
            access.getTargetOwner().getName().matches(ownerRegex)
                && access.getName().matches(nameRegex));
  }
}
