package io.quotashare.cli.output;

/** Formats of output, in lower case as users type them. */
public enum Format {
  /** For people. */
  table,
  /** For people with wide screens. */
  wide,
  /** The protobuf JSON form; a list is one array. */
  json,
  /** The same as YAML. */
  yaml,
  /** Resource names, one a line. */
  name;

  /** True for tables: with headings, ages and colours. */
  public boolean isForPeople() {
    return this == table || this == wide;
  }
}
