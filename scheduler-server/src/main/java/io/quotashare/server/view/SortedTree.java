package io.quotashare.server.view;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map. {@link #with} makes a new one in logarithmic time that shares all but a
 * path with this one, so a reader keeps what it began with while the writer goes on. A balanced
 * binary tree (AVL): the heights of two siblings differ by at most one.
 */
public final class SortedTree<K extends Comparable<K>, V> {
  private final @Nullable Branch<K, V> root;
  private final int size;

  private SortedTree(@Nullable Branch<K, V> root, int size) {
    this.root = root;
    this.size = size;
  }

  /** A map without entries. */
  public static <K extends Comparable<K>, V> SortedTree<K, V> empty() {
    return new SortedTree<>(null, 0);
  }

  /** Number of entries. */
  public int size() {
    return size;
  }

  /** Value of a key; empty if there is none. */
  public Optional<V> get(K key) {
    Branch<K, V> at = root;
    while (at != null) {
      int order = key.compareTo(at.key);
      if (order == 0) {
        return Optional.of(at.value);
      }
      at = order < 0 ? at.left : at.right;
    }
    return Optional.empty();
  }

  /** The same map with this value for the key. */
  public SortedTree<K, V> with(K key, V value) {
    requireNonNull(key, "key is null");
    requireNonNull(value, "value is null");
    boolean known = get(key).isPresent();
    return new SortedTree<>(put(root, key, value), known ? size : size + 1);
  }

  /** The same map without the key. */
  public SortedTree<K, V> without(K key) {
    return get(key).isPresent() ? new SortedTree<>(remove(root, key), size - 1) : this;
  }

  /** All values in order of their keys. */
  public Iterable<V> values() {
    return () -> new Walk<>(root, null, true);
  }

  /** Values of the keys that are greater than {@code key}, in order. */
  public Iterable<V> valuesAfter(K key) {
    return () -> new Walk<>(root, key, false);
  }

  /** Values of the keys that are not smaller than {@code key}, in order. */
  public Iterable<V> valuesFrom(K key) {
    return () -> new Walk<>(root, key, true);
  }

  /** Values of the keys that are smaller than {@code key}, the greatest first. */
  public Iterable<V> valuesBefore(K key) {
    return () -> new WalkBack<>(root, key);
  }

  private static <K extends Comparable<K>, V> Branch<K, V> put(
      @Nullable Branch<K, V> at, K key, V value) {
    if (at == null) {
      return new Branch<>(key, value, null, null);
    }
    int order = key.compareTo(at.key);
    if (order == 0) {
      return new Branch<>(at.key, value, at.left, at.right);
    }
    return order < 0
        ? balanced(at.key, at.value, put(at.left, key, value), at.right)
        : balanced(at.key, at.value, at.left, put(at.right, key, value));
  }

  private static <K extends Comparable<K>, V> @Nullable Branch<K, V> remove(
      @Nullable Branch<K, V> at, K key) {
    if (at == null) {
      return null;
    }
    int order = key.compareTo(at.key);
    if (order < 0) {
      return balanced(at.key, at.value, remove(at.left, key), at.right);
    }
    if (order > 0) {
      return balanced(at.key, at.value, at.left, remove(at.right, key));
    }
    if (at.left == null || at.right == null) {
      return at.left == null ? at.right : at.left;
    }
    Branch<K, V> next = at.right;
    while (next.left != null) {
      next = next.left;
    }
    return balanced(next.key, next.value, at.left, remove(at.right, next.key));
  }

  /** A branch of children whose heights differ by at most two. */
  private static <K, V> Branch<K, V> balanced(
      K key, V value, @Nullable Branch<K, V> left, @Nullable Branch<K, V> right) {
    int lean = height(left) - height(right);
    if (lean > 1 && left != null) {
      Branch<K, V> pivot = height(left.left) >= height(left.right) ? left : turnedLeft(left);
      return new Branch<>(
          pivot.key, pivot.value, pivot.left, new Branch<>(key, value, pivot.right, right));
    }
    if (lean < -1 && right != null) {
      Branch<K, V> pivot = height(right.right) >= height(right.left) ? right : turnedRight(right);
      return new Branch<>(
          pivot.key, pivot.value, new Branch<>(key, value, left, pivot.left), pivot.right);
    }
    return new Branch<>(key, value, left, right);
  }

  private static <K, V> Branch<K, V> turnedLeft(Branch<K, V> at) {
    Branch<K, V> up = requireNonNull(at.right, "right is null");
    return new Branch<>(
        up.key, up.value, new Branch<>(at.key, at.value, at.left, up.left), up.right);
  }

  private static <K, V> Branch<K, V> turnedRight(Branch<K, V> at) {
    Branch<K, V> up = requireNonNull(at.left, "left is null");
    return new Branch<>(
        up.key, up.value, up.left, new Branch<>(at.key, at.value, up.right, at.right));
  }

  private static int height(@Nullable Branch<?, ?> branch) {
    return branch == null ? 0 : branch.height;
  }

  /** Height of the tree; for tests of the balance. */
  int height() {
    return height(root);
  }

  private static final class Branch<K, V> {
    final K key;
    final V value;
    final @Nullable Branch<K, V> left;
    final @Nullable Branch<K, V> right;
    final int height;

    Branch(K key, V value, @Nullable Branch<K, V> left, @Nullable Branch<K, V> right) {
      this.key = key;
      this.value = value;
      this.left = left;
      this.right = right;
      this.height = 1 + Math.max(height(left), height(right));
    }
  }

  /** Visits in falling order; the stack holds the branches whose own value is still to come. */
  private static final class WalkBack<K extends Comparable<K>, V> implements Iterator<V> {
    private final ArrayDeque<Branch<K, V>> open = new ArrayDeque<>();

    WalkBack(@Nullable Branch<K, V> root, K before) {
      Branch<K, V> at = root;
      while (at != null) {
        if (at.key.compareTo(before) < 0) {
          open.push(at);
          at = at.right;
        } else {
          at = at.left;
        }
      }
    }

    @Override
    public boolean hasNext() {
      return !open.isEmpty();
    }

    @Override
    public V next() {
      if (open.isEmpty()) {
        throw new NoSuchElementException();
      }
      Branch<K, V> here = open.pop();
      for (Branch<K, V> at = here.left; at != null; at = at.right) {
        open.push(at);
      }
      return here.value;
    }
  }

  /** Visits in order; the stack holds the branches whose own value is still to come. */
  private static final class Walk<K extends Comparable<K>, V> implements Iterator<V> {
    private final ArrayDeque<Branch<K, V>> open = new ArrayDeque<>();

    Walk(@Nullable Branch<K, V> root, @Nullable K from, boolean inclusive) {
      Branch<K, V> at = root;
      while (at != null) {
        int order = from == null ? 1 : at.key.compareTo(from);
        if (order > 0 || (order == 0 && inclusive)) {
          open.push(at);
          at = at.left;
        } else {
          at = at.right;
        }
      }
    }

    @Override
    public boolean hasNext() {
      return !open.isEmpty();
    }

    @Override
    public V next() {
      if (open.isEmpty()) {
        throw new NoSuchElementException();
      }
      Branch<K, V> here = open.pop();
      for (Branch<K, V> at = here.right; at != null; at = at.left) {
        open.push(at);
      }
      return here.value;
    }
  }
}
