package io.quotashare.cli.output;

/**
 * Colours the text of a terminal, or does not.
 *
 * @param colours false: every text stays as it is
 */
public record Style(boolean colours) {
  /** The text in the colour of the tone. */
  public String paint(Tone tone, String text) {
    if (!colours || tone == Tone.PLAIN || text.isEmpty()) {
      return text;
    }
    return "\u001b[" + tone.code() + "m" + text + "\u001b[0m";
  }
}
