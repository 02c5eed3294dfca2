package io.quotashare.agent.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What the process finds around it, from which defaults are made.
 *
 * @param user user name
 * @param home home folder
 * @param path search path for programs
 * @param runtimeDir folder of the user's session, if there is one
 * @param nativeDir folder of the compiled programs, if it is known
 */
public record Surroundings(
    String user, Path home, String path, Optional<Path> runtimeDir, Optional<Path> nativeDir) {

  /** Those of this process. */
  public static Surroundings ofProcess() {
    return new Surroundings(
        System.getProperty("user.name"),
        Path.of(System.getProperty("user.home")),
        Optional.ofNullable(System.getenv("PATH"))
            .orElse("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
        Optional.ofNullable(System.getenv("XDG_RUNTIME_DIR")).map(Path::of),
        Optional.ofNullable(System.getProperty("quotashare.native")).map(Path::of));
  }

  boolean isRoot() {
    return user.equals("root");
  }
}
