package io.quotashare.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** One resource for people: a fact a line, its name in front. */
public final class Sheet {
  private record Fact(String name, String value, Tone tone) {}

  private final Style style;
  private final List<Fact> facts = new ArrayList<>();

  /** With or without colours. */
  public Sheet(Style style) {
    this.style = style;
  }

  /** A fact. */
  public void add(String name, String value) {
    add(name, value, Tone.PLAIN);
  }

  /** A fact in colour. */
  public void add(String name, String value, Tone tone) {
    facts.add(new Fact(name, value, tone));
  }

  /** A fact, if there is one. */
  public void addUnlessEmpty(String name, String value) {
    if (!value.isEmpty()) {
      add(name, value);
    }
  }

  /** Writes the facts in the order in which they were added. */
  public void write(PrintWriter out) {
    int width = facts.stream().mapToInt(f -> f.name.length()).max().orElse(0);
    for (Fact fact : facts) {
      String name = style.paint(Tone.DIM, fact.name);
      String fill = " ".repeat(width - fact.name.length() + 2);
      out.println((name + fill + style.paint(fact.tone, fact.value)).stripTrailing());
    }
  }
}
