package io.quotashare.agent.supervise;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;

/** The few calls of the C library that the JDK does not offer. */
interface Libc extends Library {
  Libc INSTANCE = Native.load("c", Libc.class);

  int O_RDONLY = 0;
  int O_NONBLOCK = 04000;
  int O_NOFOLLOW = 0400000;
  int O_CLOEXEC = 02000000;

  int LOCK_SH = 1;
  int LOCK_NB = 4;
  int LOCK_UN = 8;

  int ENOENT = 2;
  int EWOULDBLOCK = 11;
  int SIGKILL = 9;

  int open(String path, int flags) throws LastErrorException;

  NativeLong read(int fd, byte[] to, NativeLong size) throws LastErrorException;

  int close(int fd);

  int flock(int fd, int operation) throws LastErrorException;

  int kill(int pid, int signal) throws LastErrorException;

  String strerror(int errno);
}
