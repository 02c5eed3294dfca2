package io.quotashare.core.property;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Something that a test writes down as a name and a chain of traits, prints as the code that made
 * it, and can leave single traits out of when a failure is made smaller.
 *
 * @param <S> the sketch itself
 */
abstract class Sketch<S extends Sketch<S>> {
  private record Trait<S>(String code, Consumer<S> set) {}

  private final String code;
  private final List<Trait<S>> traits = new ArrayList<>();

  /**
   * @param code the call that makes the sketch without traits
   */
  Sketch(String code) {
    this.code = code;
  }

  /** This. */
  abstract S self();

  /** The sketch without any trait. */
  abstract S plain();

  /** Adds a trait, and the call that says it. */
  final S trait(String call, Consumer<S> set) {
    traits.add(new Trait<>(call, set));
    set.accept(self());
    return self();
  }

  /** All sketches with one trait less. */
  final List<S> simpler() {
    List<S> result = new ArrayList<>();
    for (int left = 0; left < traits.size(); left++) {
      S sketch = plain();
      for (int i = 0; i < traits.size(); i++) {
        if (i != left) {
          sketch.trait(traits.get(i).code, traits.get(i).set);
        }
      }
      result.add(sketch);
    }
    return result;
  }

  /** Number of traits. */
  final int size() {
    return traits.size();
  }

  @Override
  public final String toString() {
    StringBuilder text = new StringBuilder(code);
    traits.forEach(trait -> text.append('.').append(trait.code));
    return text.toString();
  }
}
