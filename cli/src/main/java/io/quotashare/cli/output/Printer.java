package io.quotashare.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Prints resources in the format that the user asked for. */
public final class Printer {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Style style;

  /** Data to {@code out}, everything else to {@code err}. */
  public Printer(PrintWriter out, PrintWriter err, Style style) {
    this.out = out;
    this.err = err;
    this.style = style;
  }

  /** A list. Formats other than tables are printed as the list is fetched. */
  public <T> void list(Format format, Resource<T> resource, Iterable<T> items) {
    switch (format) {
      case table, wide -> table(format, resource, items);
      case json -> jsonArray(resource, items);
      case yaml -> items.forEach(item -> out.print("---\n" + Json.yaml(message(resource, item))));
      case name -> items.forEach(item -> out.println(resource.name().apply(item)));
    }
    out.flush();
  }

  /**
   * One resource.
   *
   * @param forPeople what table and wide print
   */
  public <T> void one(
      Format format, Resource<T> resource, T item, Consumer<PrintWriter> forPeople) {
    switch (format) {
      case table, wide -> forPeople.accept(out);
      case json -> out.println(Json.of(message(resource, item)));
      case yaml -> out.print(Json.yaml(message(resource, item)));
      case name -> out.println(resource.name().apply(item));
    }
    out.flush();
  }

  private <T> void table(Format format, Resource<T> resource, Iterable<T> items) {
    List<Column<T>> columns =
        resource.columns().stream().filter(c -> format == Format.wide || !c.wideOnly()).toList();
    List<T> all = new ArrayList<>();
    items.forEach(all::add);
    if (all.isEmpty()) {
      err.println("no " + resource.plural());
      err.flush();
      return;
    }
    new TableWriter(style).write(out, columns, all);
  }

  private <T> void jsonArray(Resource<T> resource, Iterable<T> items) {
    String between = "";
    out.print("[");
    for (T item : items) {
      out.print(between + "\n" + Json.of(message(resource, item)));
      between = ",";
    }
    out.println(between.isEmpty() ? "]" : "\n]");
  }

  private static <T> com.google.protobuf.Message message(Resource<T> resource, T item) {
    return resource.message().apply(item);
  }
}
