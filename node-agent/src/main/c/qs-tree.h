/* Finding and killing everything that belongs to an attempt. */
#ifndef QS_TREE_H
#define QS_TREE_H

#include "qs-common.h"


struct process {
  pid_t pid, parent;
  uint64_t ticks;
  bool ours, zombie;
};

/* True if the process was started with our QS_RUN_DIR: it finds those who are no descendants any more. */
static bool has_cookie(pid_t pid) {
  static char *text;
  static size_t size = 1 << 16;
  char path[64];
  if (!text && !(text = malloc(size))) return false;
  snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  size_t n = 0;
  for (ssize_t got; (got = read(fd, text + n, size - n - 1)) > 0;) {
    n += got;
    if (n < size - 1) continue;
    char *larger = size < (8u << 20) ? realloc(text, size * 2) : NULL;
    if (!larger) break;
    text = larger;
    size *= 2;
  }
  close(fd);
  text[n] = 0;
  for (char *entry = text; entry < text + n; entry += strlen(entry) + 1)
    if (strcmp(entry, cookie) == 0) return true;
  return false;
}

/* Lists all processes of the host and marks ours: descendants of `root` (0: none) and holders of the cookie. */
static struct process *scan(pid_t root, size_t *count) {
  static struct process *list;
  static size_t room;
  size_t n = 0;
  DIR *proc = opendir("/proc");
  for (struct dirent *entry; proc && (entry = readdir(proc));) {
    struct process p = {.pid = atoi(entry->d_name)};
    char state = 0;
    if (p.pid <= 1 || p.pid == getpid() || !(p.ticks = process_ticks(p.pid, &p.parent, &state))) continue;
    p.zombie = state == 'Z' || state == 'X';
    p.ours = (root && p.parent == root) || has_cookie(p.pid);
    if (n == room) {
      struct process *larger = realloc(list, (room = room ? room * 2 : 1024) * sizeof *list);
      if (!larger) break;
      list = larger;
    }
    list[n++] = p;
  }
  if (proc) closedir(proc);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t j = 0; j < n; j++)
      for (size_t i = 0; i < n && list[j].ours; i++)
        if (!list[i].ours && list[j].pid == list[i].parent) list[i].ours = changed = true;
  }
  *count = n;
  return list;
}

/* Signals a process only if it is still the one that was seen: a process id may have been given away again. */
static void signal_same(const struct process *p, int signal_number) {
  int fd = syscall(SYS_pidfd_open, p->pid, 0);
  pid_t parent;
  char state;
  if (fd < 0 && errno != ENOSYS) return;
  if (process_ticks(p->pid, &parent, &state) == p->ticks) {
    if (fd >= 0)
      syscall(SYS_pidfd_send_signal, fd, signal_number, NULL, 0);
    else
      kill(p->pid, signal_number);
  }
  if (fd >= 0) close(fd);
}

/* Sends a signal to every process of the attempt; returns how many of them are alive. */
static int signal_all(pid_t root, int signal_number) {
  size_t count;
  int alive = 0;
  struct process *list = scan(root, &count);
  for (size_t i = 0; i < count; i++)
    if (list[i].ours && !list[i].zombie) {
      alive++;
      signal_same(&list[i], signal_number);
    }
  return alive;
}

static bool cgroup_populated(void) {
  char path[PATH_MAX + 32], text[256];
  if (!opt.cgroup) return false;
  snprintf(path, sizeof path, "%s/cgroup.events", opt.cgroup);
  return read_small(AT_FDCWD, path, text, sizeof text) > 0 && strstr(text, "populated 1");
}

static bool cgroup_write(const char *file, const char *value) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/%s", opt.cgroup, file);
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  bool good = fd >= 0 && write(fd, value, strlen(value)) >= 0;
  int error = errno;
  if (!good) say("cannot write %s: %s", path, strerror(error));
  if (fd >= 0) close(fd);
  errno = error;
  return good;
}

/*
 * One round of SIGKILL for the whole tree; true when nothing of it is left. All are stopped before any is killed, so that a
 * process that forks as fast as it can does not outrun the walk.
 */
static bool kill_tree(pid_t root) {
  if (opt.cgroup && cgroup_populated()) cgroup_write("cgroup.kill", "1");
  int alive = signal_all(root, SIGSTOP);
  for (int before = 0, round = 0; alive > before && round < 8; round++) {
    before = alive;
    alive = signal_all(root, SIGSTOP);
  }
  if (alive > 0) signal_all(root, SIGKILL);
  while (root && waitpid(-1, NULL, WNOHANG) > 0) continue;
  return alive == 0 && !cgroup_populated() && (!root || (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD));
}

#endif
