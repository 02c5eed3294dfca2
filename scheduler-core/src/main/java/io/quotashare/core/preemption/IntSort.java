package io.quotashare.core.preemption;

/** Sorts numbers of candidates or nodes by what they stand for, without boxing; stable. */
final class IntSort {
  /** Below this length insertion beats merging. */
  private static final int SMALL = 8;

  private IntSort() {}

  /** Which of two numbers comes first, as {@link java.util.Comparator#compare}. */
  @FunctionalInterface
  interface Order {
    int compare(int a, int b);
  }

  /** The numbers from 0 to {@code count - 1}, sorted. */
  static int[] indices(int count, Order order) {
    int[] indices = new int[count];
    for (int i = 0; i < count; i++) {
      indices[i] = i;
    }
    sort(indices, order);
    return indices;
  }

  static void sort(int[] numbers, Order order) {
    sort(numbers.clone(), numbers, 0, numbers.length, order);
  }

  /** Sorts a range into {@code to}; both arrays hold the same numbers there. */
  private static void sort(int[] from, int[] to, int start, int end, Order order) {
    if (end - start < SMALL) {
      insert(to, start, end, order);
      return;
    }
    int middle = (start + end) >>> 1;
    sort(to, from, start, middle, order);
    sort(to, from, middle, end, order);
    int left = start;
    int right = middle;
    for (int i = start; i < end; i++) {
      boolean takeLeft =
          right >= end || (left < middle && order.compare(from[left], from[right]) <= 0);
      to[i] = takeLeft ? from[left++] : from[right++];
    }
  }

  private static void insert(int[] numbers, int start, int end, Order order) {
    for (int i = start + 1; i < end; i++) {
      int number = numbers[i];
      int place = i;
      while (place > start && order.compare(numbers[place - 1], number) > 0) {
        numbers[place] = numbers[--place];
      }
      numbers[place] = number;
    }
  }
}
