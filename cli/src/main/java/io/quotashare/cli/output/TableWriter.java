package io.quotashare.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Aligns the cells of a table: as wide as the widest cell, two blanks between columns. */
public final class TableWriter {
  private static final String GAP = "  ";

  private final Style style;

  /** With or without colours. */
  public TableWriter(Style style) {
    this.style = style;
  }

  /** Writes the heading and a line an item. */
  public <T> void write(PrintWriter out, List<Column<T>> columns, Iterable<T> items) {
    List<List<Cell>> rows = new ArrayList<>();
    rows.add(columns.stream().map(c -> new Cell(c.title(), c.right(), Tone.STRONG)).toList());
    for (T item : items) {
      rows.add(
          columns.stream()
              .map(c -> new Cell(c.value().apply(item), c.right(), c.tone().apply(item)))
              .toList());
    }
    int[] widths = new int[columns.size()];
    for (List<Cell> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).width());
      }
    }
    rows.forEach(row -> out.println(line(row, widths)));
  }

  private String line(List<Cell> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      Cell cell = row.get(i);
      String fill = " ".repeat(widths[i] - cell.width());
      boolean last = i == widths.length - 1;
      line.append(i == 0 ? "" : GAP);
      line.append(cell.right ? fill : "").append(style.paint(cell.tone, cell.text));
      line.append(cell.right || last ? "" : fill);
    }
    return line.toString().stripTrailing();
  }

  private record Cell(String text, boolean right, Tone tone) {
    int width() {
      return text.codePointCount(0, text.length());
    }
  }
}
