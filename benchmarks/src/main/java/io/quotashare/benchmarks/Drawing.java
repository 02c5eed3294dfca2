package io.quotashare.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws groups of figures as SVG: how the cost of a decision grows with what varies, both axes
 * logarithmic, one line a group. A line that rises as steeply as the grid's diagonal grows in
 * proportion.
 */
final class Drawing {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 420;
  private static final int LEFT = 80;
  private static final int RIGHT = 210;
  private static final int TOP = 40;
  private static final int BOTTOM = 60;
  private static final String[] COLORS = {"#1b6ca8", "#c8553d", "#2e8b57", "#7b4ea3", "#8a6d1d"};

  private final String title;
  private final List<List<Figure>> lines;
  private final int lowX;
  private final int highX;
  private final int lowY;
  private final int highY;

  private Drawing(String title, List<List<Figure>> lines) {
    this.title = title;
    this.lines = lines;
    List<Figure> all = lines.stream().flatMap(List::stream).toList();
    lowX = decade(all.stream().mapToDouble(Figure::at).min().orElse(1), false);
    highX = Math.max(lowX + 1, decade(all.stream().mapToDouble(Figure::at).max().orElse(1), true));
    lowY = decade(all.stream().mapToDouble(Figure::micros).min().orElse(1), false);
    highY =
        Math.max(lowY + 1, decade(all.stream().mapToDouble(Figure::micros).max().orElse(1), true));
  }

  /**
   * @param groups names of the groups to draw
   * @param figures all figures
   */
  static String of(String title, List<String> groups, List<Figure> figures) {
    List<List<Figure>> lines = new ArrayList<>();
    for (String group : groups) {
      List<Figure> line = figures.stream().filter(f -> f.group().equals(group)).toList();
      if (!line.isEmpty()) {
        lines.add(line);
      }
    }
    return new Drawing(title, lines).draw();
  }

  private static int decade(double value, boolean up) {
    double log = Math.log10(value);
    return (int) (up ? Math.ceil(log) : Math.floor(log));
  }

  private double x(double value) {
    double part = (Math.log10(value) - lowX) / (highX - lowX);
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  private double y(double value) {
    double part = (Math.log10(value) - lowY) / (highY - lowY);
    return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM);
  }

  private String draw() {
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\""
            + " font-size=\"12\">",
        WIDTH,
        HEIGHT);
    add(svg, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>", WIDTH, HEIGHT);
    add(svg, "<text x=\"%d\" y=\"22\" font-size=\"15\">%s</text>", LEFT, title);
    grid(svg);
    for (int l = 0; l < lines.size(); l++) {
      line(svg, l);
    }
    return svg.append("</svg>\n").toString();
  }

  private void grid(StringBuilder svg) {
    for (int d = lowX; d <= highX; d++) {
      double x = x(Math.pow(10, d));
      stroke(svg, x, TOP, x, HEIGHT - BOTTOM);
      text(svg, x, HEIGHT - BOTTOM + 18, "middle", number(Math.pow(10, d)));
    }
    for (int d = lowY; d <= highY; d++) {
      double y = y(Math.pow(10, d));
      stroke(svg, LEFT, y, WIDTH - RIGHT, y);
      text(svg, LEFT - 8, y + 4, "end", number(Math.pow(10, d)) + " µs");
    }
    text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", "how many");
  }

  private void line(StringBuilder svg, int number) {
    String color = COLORS[number % COLORS.length];
    StringBuilder points = new StringBuilder();
    for (Figure figure : lines.get(number)) {
      points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(figure.at()), y(figure.micros())));
    }
    add(
        svg,
        "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>",
        points.toString().strip(),
        color);
    for (Figure figure : lines.get(number)) {
      add(
          svg,
          "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\" fill=\"%s\"/>",
          x(figure.at()),
          y(figure.micros()),
          color);
      add(
          svg,
          "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"%s\">%s</text>",
          x(figure.at()),
          y(figure.micros()) - 8,
          color,
          number(figure.micros()));
    }
    add(
        svg,
        "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>",
        WIDTH - RIGHT + 16,
        TOP + 16 + 20 * number,
        color,
        lines.get(number).get(0).group());
  }

  private static String number(double value) {
    return value >= 10
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, value >= 1 ? "%.1f" : "%.2f", value);
  }

  private static void stroke(StringBuilder svg, double x1, double y1, double x2, double y2) {
    add(
        svg,
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>",
        x1,
        y1,
        x2,
        y2);
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    add(
        svg,
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#444\">%s</text>",
        x,
        y,
        anchor,
        text);
  }

  private static void add(StringBuilder svg, String format, Object... args) {
    svg.append(String.format(Locale.ROOT, format, args)).append('\n');
  }
}
