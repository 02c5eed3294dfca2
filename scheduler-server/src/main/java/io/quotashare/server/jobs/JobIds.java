package io.quotashare.server.jobs;

import java.security.SecureRandom;

/** Makes ids for jobs whose submitter chose none. */
@FunctionalInterface
public interface JobIds {
  /** A new id; the caller checks that no job has it. */
  String next();

  /** Ids of a letter, a dash and eight characters at random. */
  static JobIds random() {
    String alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
    SecureRandom random = new SecureRandom();
    return () -> {
      StringBuilder id = new StringBuilder("j-");
      for (int i = 0; i < 8; i++) {
        id.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      return id.toString();
    };
  }
}
