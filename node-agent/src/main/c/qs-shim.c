/*
 * qs-shim: the supervisor of one attempt.
 *
 * The node agent may crash, be upgraded or be killed; the job must not notice. So each attempt is run by this small program,
 * which is its own session, takes the lease locks of the devices, starts the job, and stays with it to the end:
 *
 *   - it is the subreaper of everything that the job starts, so no process of the job can get away from it by daemonising;
 *   - it holds one flock per device in a host-wide folder: whoever finds a lock taken must not use the device;
 *   - it reads the job's output through a pipe and writes it to out.log with rotation (the agent's death breaks no pipe);
 *   - it enforces the deadlines that the agent leaves in files (`stop`, `lease`), and so needs no agent to keep them;
 *   - it leaves records in the run folder: started, failed, ladder, exit, empty. Each is one JSON line, written aside,
 *     synced and renamed, so a reader finds all of a record or none of it.
 *
 * Deadlines are milliseconds of CLOCK_BOOTTIME, which goes on while the host sleeps; times in records are Unix milliseconds.
 *
 *   qs-shim run   --run-dir DIR --lock-dir DIR [--lock UUID]... --term-grace-ms N --log-bytes N --log-files N
 *                 [--cgroup DIR] --cwd DIR -- PROGRAM [ARGUMENT]...
 *   qs-shim sweep --run-dir DIR [--cgroup DIR]
 *
 * `run` gives its own environment to the job unchanged. `sweep` kills what is left of an attempt whose supervisor is gone.
 * Exit status: 0 the end is on record, 64 usage, 71 the job could not be started, 74 records cannot be written, 75 a device is locked.
 */
#include "qs-common.h"
#include "qs-log.h"
#include "qs-tree.h"

/* ---- Deadlines --------------------------------------------------------------------------------------------------------- */

static struct {
  int64_t lease, stop_term, stop_kill, asked; /* `asked`: someone sent SIGTERM to the shim itself. */
  bool lease_over;
} until = {NEVER, NEVER, NEVER, NEVER, false};
static int64_t term_sent_ms, kill_sent_ms; /* Unix time; 0 if not sent. */

static int64_t earlier(int64_t a, int64_t b) { return a < b ? a : b; }

static int64_t plus_grace(int64_t t) { return t == NEVER ? NEVER : t + opt.term_grace_ms; }

/* Reads `lease` ("never" or one instant) and `stop` (two instants: SIGTERM, SIGKILL). False if there is no valid lease. */
static bool read_deadlines(void) {
  char text[128];
  int64_t a, b;
  bool leased = false;
  if (read_small(dir, "lease", text, sizeof text) > 0) {
    if (strcmp(text, "never\n") == 0) {
      until.lease = NEVER;
      leased = true;
    } else if (sscanf(text, "%" SCNd64, &a) == 1 && a > 0) {
      until.lease = a;
      leased = true;
    }
  }
  if (read_small(dir, "stop", text, sizeof text) > 0 && sscanf(text, "%" SCNd64 " %" SCNd64, &a, &b) == 2) {
    until.stop_term = a;
    until.stop_kill = b;
  }
  return leased;
}

static int64_t term_at(void) { return earlier(earlier(until.stop_term, until.asked), until.lease); }

static int64_t kill_at(void) {
  return earlier(earlier(until.stop_kill, plus_grace(until.asked)), plus_grace(until.lease));
}

static void record_ladder(void) {
  record("ladder", "{\"term_sent_ms\":%" PRId64 ",\"kill_sent_ms\":%" PRId64 "}\n", term_sent_ms, kill_sent_ms);
}

/* Sends what is due. True when the tree must be killed now. */
static bool climb(pid_t main_pid) {
  int64_t now = now_ms(CLOCK_BOOTTIME);
  if (now >= until.lease) { /* Once over, a late renewal does not bring it back: the attempt may run elsewhere by now. */
    if (!until.lease_over) say("the lease is over: stopping the job");
    until.lease_over = true;
    until.asked = earlier(until.asked, until.lease);
  }
  if (now >= kill_at()) return true;
  if (!term_sent_ms && now >= term_at()) {
    kill(main_pid, SIGTERM);
    term_sent_ms = now_ms(CLOCK_REALTIME);
    record_ladder();
  }
  return false;
}

/* ---- Starting ---------------------------------------------------------------------------------------------------------- */

/* Takes the locks of all devices. A probe of the agent may hold one for an instant, hence the tries. */
static bool take_locks(void) {
  for (int i = 0; i < opt.lock_count; i++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s.lock", opt.lock_dir, opt.locks[i]);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    bool taken = false;
    for (int tries = 0; fd >= 0 && !taken && tries < LOCK_TRIES; tries++) {
      taken = flock(fd, LOCK_EX | LOCK_NB) == 0;
      if (!taken && tries + 1 < LOCK_TRIES) pause_ms(25);
    }
    if (!taken) {
      record("failed", "{\"stage\":\"lock\",\"errno\":%d,\"device\":\"%s\"}\n", errno, opt.locks[i]);
      return false;
    }
    /* For whoever finds it locked. The lock is the flock, not the text. */
    if (ftruncate(fd, 0) == 0) dprintf(fd, "%d %s\n", (int)getpid(), opt.run_dir);
  }
  return true;
}

struct failure {
  char stage[16];
  int error;
};

static void child_fails(int report, const char *stage) {
  struct failure f = {.error = errno};
  snprintf(f.stage, sizeof f.stage, "%s", stage);
  if (write(report, &f, sizeof f) < 0) _exit(126);
  _exit(127);
}

/* In the child: everything between fork and exec. */
static void become_job(pid_t shim, int out_fd, int report, mode_t mask) {
  /* A job without a supervisor could not be fenced: it goes with it. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != shim) child_fails(report, "supervise");
  setpgid(0, 0);
  if (opt.cgroup && !cgroup_write("cgroup.procs", "0")) child_fails(report, "cgroup");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) child_fails(report, "no_new_privs");
  if (chdir(opt.cwd) != 0) child_fails(report, "cwd");
  int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || dup2(null, 0) < 0 || dup2(out_fd, 1) < 0 || dup2(out_fd, 2) < 0) child_fails(report, "output");
  for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  umask(mask);
  execvp(opt.argv[0], opt.argv);
  child_fails(report, "exec");
}

/* Starts the job and waits until its program is in place. Returns its process id, or -1 with the reason on record. */
static pid_t start_job(int out_pipe[2], mode_t mask) {
  int report[2];
  struct failure f;
  if (pipe2(out_pipe, O_CLOEXEC) != 0 || pipe2(report, O_CLOEXEC) != 0) {
    record("failed", "{\"stage\":\"output\",\"errno\":%d}\n", errno);
    return -1;
  }
  pid_t shim = getpid(), pid = fork();
  if (pid == 0) become_job(shim, out_pipe[1], report[1], mask);
  close(report[1]);
  close(out_pipe[1]);
  ssize_t n = pid < 0 ? 0 : read(report[0], &f, sizeof f); /* Its end without a word: the exec closed it. */
  if (pid < 0) f = (struct failure){"fork", errno};
  close(report[0]);
  if (pid > 0 && n <= 0) return pid;
  if (pid > 0) waitpid(pid, NULL, 0);
  record("failed", "{\"stage\":\"%s\",\"errno\":%d}\n", f.stage, f.error);
  return -1;
}

static bool record_started(pid_t pid) {
  char boot_id[64] = "", state;
  pid_t parent;
  if (read_small(AT_FDCWD, "/proc/sys/kernel/random/boot_id", boot_id, sizeof boot_id) > 0) boot_id[strcspn(boot_id, "\n")] = 0;
  return record("started",
                "{\"shim_pid\":%d,\"shim_ticks\":%" PRIu64 ",\"pid\":%d,\"ticks\":%" PRIu64
                ",\"boot_id\":\"%s\",\"time_ms\":%" PRId64 "}\n",
                (int)getpid(), process_ticks(getpid(), &parent, &state), (int)pid, process_ticks(pid, &parent, &state),
                boot_id, now_ms(CLOCK_REALTIME));
}

/* ---- The run ----------------------------------------------------------------------------------------------------------- */

/* Collects ended children. True when the main process is among them. */
static bool reap(pid_t main_pid, int *status) {
  int s;
  bool ended = false;
  for (pid_t pid; (pid = waitpid(-1, &s, WNOHANG)) > 0;)
    if (pid == main_pid) {
      ended = true;
      *status = s;
    }
  return ended;
}

static void arm(int timer) {
  /* After SIGKILL the time between two rounds is that of poll. */
  int64_t t = kill_sent_ms ? NEVER : term_sent_ms ? kill_at() : earlier(term_at(), kill_at());
  if (t <= 0) t = 1;
  struct itimerspec at = {.it_value = {t / 1000, (t % 1000) * 1000000}};
  if (t == NEVER) at.it_value = (struct timespec){0, 0};
  timerfd_settime(timer, TFD_TIMER_ABSTIME, &at, NULL);
}

static void empty_fd(int fd) {
  char buffer[4096];
  while (read(fd, buffer, sizeof buffer) > 0) continue;
}

/* Waits for the end of the main process or for the deadline of its tree, and keeps log and deadlines meanwhile. */
static int supervise(pid_t main_pid, int out_fd, sigset_t *signals) {
  int status = -1;
  int signal_fd = signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK);
  int timer = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
  int notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  inotify_add_watch(notify, opt.run_dir, IN_MOVED_TO);
  fcntl(out_fd, F_SETFL, O_NONBLOCK);
  struct pollfd fds[] = {{signal_fd, POLLIN, 0}, {timer, POLLIN, 0}, {notify, POLLIN, 0}, {out_fd, POLLIN, 0}};
  for (bool ended = false; !ended;) {
    read_deadlines();
    if (climb(main_pid)) {
      if (!kill_sent_ms) {
        kill_sent_ms = now_ms(CLOCK_REALTIME);
        record_ladder();
      }
      if (opt.cgroup) cgroup_write("cgroup.kill", "1");
      signal_all(getpid(), SIGKILL);
    }
    arm(timer);
    poll(fds, 4, kill_sent_ms ? 200 : 1000);
    struct signalfd_siginfo info;
    while (read(signal_fd, &info, sizeof info) == sizeof info)
      if (info.ssi_signo == SIGTERM) until.asked = earlier(until.asked, now_ms(CLOCK_BOOTTIME));
    empty_fd(timer);
    empty_fd(notify);
    if (fds[3].fd >= 0 && !drain(out_fd)) fds[3].fd = -1;
    ended = reap(main_pid, &status);
  }
  return status;
}

static const char *cause(void) {
  if (!term_sent_ms && !kill_sent_ms) return "own";
  return until.lease_over ? "lease" : until.stop_term != NEVER ? "stop" : "signal";
}

static bool record_exit(int status) {
  return record("exit", "{\"%s\":%d,\"cause\":\"%s\",\"term_sent_ms\":%" PRId64 ",\"kill_sent_ms\":%" PRId64 ",\"time_ms\":%" PRId64 "}\n",
                WIFSIGNALED(status) ? "signal" : "code", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), cause(),
                term_sent_ms, kill_sent_ms, now_ms(CLOCK_REALTIME));
}

/* Kills what is left of the attempt. Waits as long as it takes: until then the locks stay taken. */
static void clear_tree(pid_t root, int out_fd) {
  for (int64_t wait = 10; !kill_tree(root); wait = earlier(wait * 2, 1000)) {
    if (out_fd >= 0) drain(out_fd);
    pause_ms(wait);
  }
}

static int run(void) {
  setsid();
  mode_t mask = umask(077);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  signal(SIGPIPE, SIG_IGN);
  if (!take_locks()) return EXIT_LOCKED;
  if (!read_deadlines()) {
    record("failed", "{\"stage\":\"lease\",\"errno\":%d}\n", EINVAL);
    return EXIT_START;
  }
  int pipe_fds[2];
  log_open();
  pid_t pid = start_job(pipe_fds, mask);
  if (pid < 0) return EXIT_START;
  if (!record_started(pid)) {
    clear_tree(getpid(), pipe_fds[0]);
    return EXIT_RECORD;
  }
  int status = supervise(pid, pipe_fds[0], &signals);
  bool told = record_exit(status);
  clear_tree(getpid(), pipe_fds[0]);
  drain(pipe_fds[0]);
  if (opt.cgroup) rmdir(opt.cgroup);
  /* A full disk may get room again; a run folder that is gone does not come back. */
  while (!told && fcntl(dir, F_GETFD) >= 0 && access(opt.run_dir, W_OK) == 0 && !(told = record_exit(status))) pause_ms(1000);
  while (access(opt.run_dir, W_OK) == 0 && !record("empty", "{\"time_ms\":%" PRId64 "}\n", now_ms(CLOCK_REALTIME))) pause_ms(1000);
  return told ? 0 : EXIT_RECORD;
}

static int sweep(void) {
  clear_tree(0, -1);
  if (opt.cgroup) rmdir(opt.cgroup);
  return record("empty", "{\"time_ms\":%" PRId64 "}\n", now_ms(CLOCK_REALTIME)) ? 0 : EXIT_RECORD;
}

/* ---- Arguments --------------------------------------------------------------------------------------------------------- */

static int64_t number(const char *text, int64_t min, int64_t max) {
  char *end;
  errno = 0;
  long long n = strtoll(text, &end, 10);
  return errno || *end || end == text || n < min || n > max ? -1 : n;
}

static bool parse(int argc, char **argv) {
  for (int i = 2; i < argc; i++) {
    if (strcmp(argv[i], "--") == 0) {
      opt.argv = argv + i + 1;
      break;
    }
    if (i + 1 >= argc) return false;
    const char *key = argv[i], *value = argv[++i];
    if (!strcmp(key, "--run-dir")) opt.run_dir = value;
    else if (!strcmp(key, "--lock-dir")) opt.lock_dir = value;
    else if (!strcmp(key, "--lock") && opt.lock_count < LOCKS_MAX) opt.locks[opt.lock_count++] = value;
    else if (!strcmp(key, "--cgroup")) opt.cgroup = value;
    else if (!strcmp(key, "--cwd")) opt.cwd = value;
    else if (!strcmp(key, "--term-grace-ms")) opt.term_grace_ms = number(value, 0, 86400000);
    else if (!strcmp(key, "--log-bytes")) opt.log_bytes = number(value, 1, INT64_MAX);
    else if (!strcmp(key, "--log-files")) opt.log_files = number(value, 2, LOG_FILES_MAX);
    else return false;
  }
  return opt.run_dir && opt.run_dir[0] == '/' && strlen(opt.run_dir) < PATH_MAX - 64;
}

int main(int argc, char **argv) {
  bool running = argc > 1 && !strcmp(argv[1], "run"), sweeping = argc > 1 && !strcmp(argv[1], "sweep");
  bool good = (running || sweeping) && parse(argc, argv);
  if (running)
    good = good && opt.lock_dir && opt.cwd && opt.argv && opt.argv[0] && opt.term_grace_ms >= 0 && opt.log_bytes > 0 && opt.log_files > 0;
  if (!good) {
    say("usage: run|sweep --run-dir DIR ... (see the head of qs-shim.c)");
    return EXIT_USAGE;
  }
  snprintf(cookie, sizeof cookie, "QS_RUN_DIR=%s", opt.run_dir);
  dir = open(opt.run_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (dir < 0) {
    say("cannot open the run folder %s: %s", opt.run_dir, strerror(errno));
    return EXIT_RECORD;
  }
  return running ? run() : sweep();
}
