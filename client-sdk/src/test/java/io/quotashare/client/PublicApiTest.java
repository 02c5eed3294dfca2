package io.quotashare.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing of gRPC, protobuf or the client's inside may show in what a program compiles against. */
class PublicApiTest {
  private static final List<String> HIDDEN =
      List.of(
          "io.grpc",
          "com.google",
          "io.netty",
          "io.quotashare.proto",
          "io.quotashare.client.internal");

  private static List<Class<?>> publicClasses() throws IOException, URISyntaxException {
    URI location =
        QuotaShareClient.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    Path folder = Path.of(location).resolve("io/quotashare/client");
    List<Class<?>> classes = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(".class") && !name.equals("package-info.class")) {
          classes.add(load("io.quotashare.client." + name.replace(".class", "")));
        }
      }
    }
    return classes.stream()
        .filter(c -> Modifier.isPublic(c.getModifiers()))
        .filter(c -> c != InternalQuotaShareClient.class)
        .toList();
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, PublicApiTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isVisible(int modifiers) {
    return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
  }

  private static Stream<Type> shownBy(Class<?> type) {
    Stream<Type> own =
        Stream.concat(
            Stream.of(type.getGenericInterfaces()), Stream.ofNullable(type.getGenericSuperclass()));
    Stream<Type> fields =
        Arrays.stream(type.getDeclaredFields())
            .filter(f -> isVisible(f.getModifiers()))
            .map(Field::getGenericType);
    Stream<Executable> executables =
        Stream.concat(
                Arrays.stream(type.getDeclaredMethods()).map(Executable.class::cast),
                Arrays.stream(type.getDeclaredConstructors()).map(Executable.class::cast))
            .filter(e -> isVisible(e.getModifiers()) && !e.isSynthetic());
    return Stream.of(own, fields, executables.flatMap(PublicApiTest::shownBy)).flatMap(s -> s);
  }

  private static Stream<Type> shownBy(Executable executable) {
    Stream<Type> types =
        Stream.concat(
            Stream.of(executable.getGenericParameterTypes()),
            Stream.of(executable.getGenericExceptionTypes()));
    return executable instanceof Method method
        ? Stream.concat(types, Stream.of(method.getGenericReturnType()))
        : types;
  }

  private static Stream<Class<?>> classesIn(Type type) {
    if (type instanceof Class<?> c) {
      return Stream.of(c.isArray() ? c.getComponentType() : c);
    }
    if (type instanceof ParameterizedType p) {
      return Stream.concat(
          classesIn(p.getRawType()),
          Stream.of(p.getActualTypeArguments()).flatMap(PublicApiTest::classesIn));
    }
    if (type instanceof GenericArrayType a) {
      return classesIn(a.getGenericComponentType());
    }
    if (type instanceof WildcardType w) {
      return Stream.of(w.getUpperBounds()).flatMap(PublicApiTest::classesIn);
    }
    return Stream.empty();
  }

  @Test
  void nothingOfTheTransportLeaks() throws IOException, URISyntaxException {
    List<String> leaks = new ArrayList<>();
    List<Class<?>> classes = publicClasses();
    for (Class<?> type : classes) {
      shownBy(type)
          .flatMap(PublicApiTest::classesIn)
          .map(Class::getName)
          .filter(name -> HIDDEN.stream().anyMatch(name::startsWith))
          .forEach(name -> leaks.add(type.getSimpleName() + " shows " + name));
    }

    assertThat(classes).hasSizeGreaterThan(40);
    assertThat(leaks).isEmpty();
  }

  /** What waits for one answer has both forms; what gives a stream or asks nothing has one. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        JobsClient.class,
        JobHandle.class,
        SharesClient.class,
        QueuesClient.class,
        NodesClient.class,
        AdminClient.class
      })
  void everyCallHasABlockingFormAndOneThatDoesNotBlock(Class<?> client) {
    Set<String> names = new TreeSet<>();
    for (Method method : client.getDeclaredMethods()) {
      boolean stream =
          method.getReturnType() == LogStream.class
              || (client == JobHandle.class && method.getReturnType() == JobWatch.class)
              || (client == JobHandle.class && method.getReturnType() == PagedIterable.class);
      boolean asks = method.getReturnType() != String.class && !method.getName().equals("handle");
      if (Modifier.isPublic(method.getModifiers()) && asks && !stream) {
        names.add(method.getName());
      }
    }

    assertThat(names).isNotEmpty();
    assertThat(names)
        .allSatisfy(
            name ->
                assertThat(names)
                    .contains(name.endsWith("Async") ? name.replace("Async", "") : name + "Async"));
  }

  @Test
  void publicDataIsImmutable() throws IOException, URISyntaxException {
    for (Class<?> type : publicClasses()) {
      for (Field field : type.getDeclaredFields()) {
        if (isVisible(field.getModifiers())) {
          assertThat(Modifier.isFinal(field.getModifiers()))
              .as("%s.%s is final", type.getSimpleName(), field.getName())
              .isTrue();
        }
      }
    }
  }

  @Test
  void exceptionsCanBeMadeByTests() throws IOException, URISyntaxException {
    long throwable =
        publicClasses().stream().filter(QuotaShareException.class::isAssignableFrom).count();

    assertThat(throwable).isGreaterThan(10);
    for (Class<?> type : publicClasses()) {
      if (QuotaShareException.class.isAssignableFrom(type)) {
        assertThat(type.getConstructors()).as(type.getSimpleName()).isNotEmpty();
      }
    }
  }
}
