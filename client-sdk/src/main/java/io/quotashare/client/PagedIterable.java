package io.quotashare.client;

import io.quotashare.client.internal.Blocking;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A list that is fetched page by page as it is read. Each iteration starts at the first page;
 * {@code next} may throw what a call throws.
 */
public final class PagedIterable<T> implements Iterable<T> {
  private final Function<String, CompletableFuture<Page<T>>> fetch;

  PagedIterable(Function<String, CompletableFuture<Page<T>>> fetch) {
    this.fetch = fetch;
  }

  /** The items as a stream. */
  public Stream<T> stream() {
    return StreamSupport.stream(spliterator(), false);
  }

  @Override
  public Iterator<T> iterator() {
    return new Iterator<>() {
      private Iterator<T> items = java.util.Collections.emptyIterator();
      private String token = "";
      private boolean last;

      @Override
      public boolean hasNext() {
        while (!items.hasNext() && !last) {
          Page<T> page = Blocking.get(fetch.apply(token));
          items = page.items().iterator();
          token = page.nextPageToken();
          last = token.isEmpty();
        }
        return items.hasNext();
      }

      @Override
      public T next() {
        if (!hasNext()) {
          throw new NoSuchElementException("the list has ended");
        }
        return items.next();
      }
    };
  }
}
