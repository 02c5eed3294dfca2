/* What the parts of qs-shim share: its options, and records that are written as a whole or not at all. */
#ifndef QS_COMMON_H
#define QS_COMMON_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_USAGE = 64, EXIT_START = 71, EXIT_RECORD = 74, EXIT_LOCKED = 75 };
enum { LOCKS_MAX = 256, LOG_FILES_MAX = 64, LOCK_TRIES = 10 };
#define NEVER INT64_MAX

static struct {
  const char *run_dir, *lock_dir, *cgroup, *cwd;
  const char *locks[LOCKS_MAX];
  int lock_count;
  int64_t term_grace_ms, log_bytes;
  int log_files;
  char **argv;
} opt = {.term_grace_ms = -1, .log_bytes = -1, .log_files = -1};

static int dir = -1; /* The run folder: every record is written relative to it. */
static char cookie[PATH_MAX + 16];


static void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("qs-shim: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

static int64_t now_ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void pause_ms(int64_t ms) {
  struct timespec t = {ms / 1000, (ms % 1000) * 1000000};
  nanosleep(&t, NULL);
}

/* Reads a small file below `at` into `to` and ends it with NUL. Returns its length, or -1. */
static ssize_t read_small(int at, const char *name, char *to, size_t size) {
  int fd = openat(at, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return -1;
  ssize_t n = read(fd, to, size - 1);
  close(fd);
  if (n < 0) return -1;
  to[n] = 0;
  return n;
}

/* Writes one record: aside, synced, renamed, folder synced. */
static bool record(const char *name, const char *format, ...) {
  char line[2048], aside[64];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof line, format, args);
  va_end(args);
  snprintf(aside, sizeof aside, ".%s.new", name);
  int fd = openat(dir, aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool good = fd >= 0 && n > 0 && n < (int)sizeof line && write(fd, line, n) == n && fsync(fd) == 0;
  if (fd >= 0) close(fd);
  good = good && renameat(dir, aside, dir, name) == 0 && fsync(dir) == 0;
  if (!good) say("cannot write %s/%s: %s", opt.run_dir, name, strerror(errno));
  return good;
}

/* Start time of a process in clock ticks since boot (field 22 of its stat file), its parent and its state; 0 if it is gone. */
static uint64_t process_ticks(pid_t pid, pid_t *parent, char *state) {
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
  if (read_small(AT_FDCWD, path, text, sizeof text) <= 0) return 0;
  char *after_name = strrchr(text, ')'); /* The name may hold blanks and brackets. */
  int ppid = 0;
  unsigned long long ticks = 0;
  if (!after_name ||
      sscanf(after_name + 1,
             " %c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", state, &ppid, &ticks) != 3)
    return 0;
  *parent = ppid;
  return ticks;
}

#endif
