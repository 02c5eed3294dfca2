package io.quotashare.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Prints resources in the format that the user asked for. */
public final class Printer {
  private final PrintWriter out;
  private final PrintWriter err;
  private final Style style;
  private final @Nullable Changes changes;

  /**
   * Data to {@code out}, everything else to {@code err}.
   *
   * @param changes of a watch: formats for programs print only what is new or has changed, JSON one
   *     object a line; null: all is printed, a list as one array
   */
  public Printer(PrintWriter out, PrintWriter err, Style style, @Nullable Changes changes) {
    this.out = out;
    this.err = err;
    this.style = style;
    this.changes = changes;
  }

  /** A list. Formats other than tables are printed as the list is fetched. */
  public <T> void list(Format format, Resource<T> resource, Iterable<T> items) {
    if (changes != null && !format.isForPeople()) {
      changed(changes, format, resource, items);
    } else {
      all(format, resource, items);
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
    if (changes != null && !format.isForPeople()) {
      changed(changes, format, resource, List.of(item));
    } else {
      switch (format) {
        case table, wide -> forPeople.accept(out);
        case json -> out.println(Json.of(message(resource, item)));
        case yaml -> out.print(Json.yaml(message(resource, item)));
        case name -> out.println(resource.name().apply(item));
      }
    }
    out.flush();
  }

  /** One resource of a watch that tells changes itself: JSON in one line. */
  public <T> void event(Format format, Resource<T> resource, T item) {
    out.print(text(format, resource, item));
    out.flush();
  }

  private <T> void all(Format format, Resource<T> resource, Iterable<T> items) {
    switch (format) {
      case table, wide -> table(format, resource, items);
      case json -> jsonArray(resource, items);
      case yaml -> items.forEach(item -> out.print("---\n" + Json.yaml(message(resource, item))));
      case name -> items.forEach(item -> out.println(resource.name().apply(item)));
    }
  }

  private <T> void changed(Changes seen, Format format, Resource<T> resource, Iterable<T> items) {
    seen.begin();
    for (T item : items) {
      String text = text(format, resource, item);
      if (seen.isNew(text)) {
        out.print(text);
      }
    }
    seen.end();
  }

  private static <T> String text(Format format, Resource<T> resource, T item) {
    return switch (format) {
      case json -> Json.line(message(resource, item)) + "\n";
      case yaml -> "---\n" + Json.yaml(message(resource, item));
      case name, table, wide -> resource.name().apply(item) + "\n";
    };
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
