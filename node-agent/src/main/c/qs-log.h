/* The output of the job: one stream, kept in a bounded number of files. */
#ifndef QS_LOG_H
#define QS_LOG_H

#include "qs-common.h"


/* out.log is the newest piece; older ones are out.log.START, where START is the offset of their first byte in the whole output. */
static struct {
  int fd;
  int64_t start, size;
  int64_t old[LOG_FILES_MAX];
  int old_count;
} out = {.fd = -1};

static void log_name(char *to, size_t size, int64_t start) { snprintf(to, size, "out.log.%020" PRId64, start); }

static void log_open(void) {
  out.fd = openat(dir, "out.log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  out.size = out.fd < 0 ? 0 : lseek(out.fd, 0, SEEK_END);
}

static void log_rotate(void) {
  char name[64];
  if (out.old_count == opt.log_files - 1) {
    log_name(name, sizeof name, out.old[0]);
    unlinkat(dir, name, 0);
    memmove(out.old, out.old + 1, --out.old_count * sizeof *out.old);
  }
  log_name(name, sizeof name, out.start);
  if (renameat(dir, "out.log", dir, name) != 0) return; /* Goes on in the same file and tries again at the next write. */
  close(out.fd);
  out.old[out.old_count++] = out.start;
  out.start += out.size;
  log_open();
}

/* What cannot be written (disk full) is dropped: the job must not hang on its own output. */
static void log_write(const char *data, size_t n) {
  if (out.fd < 0) log_open();
  if (out.size >= opt.log_bytes) log_rotate();
  while (n > 0 && out.fd >= 0) {
    ssize_t done = write(out.fd, data, n);
    if (done <= 0) return;
    out.size += done;
    data += done;
    n -= done;
  }
}

/* Moves what lies in the pipe to the log, at most 1 MiB so that deadlines are looked at in a flood; false at its end. */
static bool drain(int fd) {
  static char buffer[1 << 16];
  for (int i = 0; i < 16; i++) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n == 0) return false;
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    log_write(buffer, n);
  }
  return true;
}

#endif
