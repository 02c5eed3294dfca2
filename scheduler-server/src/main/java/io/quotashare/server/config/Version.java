package io.quotashare.server.config;

/** Version of this program. */
public final class Version {
  private Version() {}

  /** The version; {@code development} where it runs from classes and not from its jar. */
  public static String current() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
