/*
 * usage: test_peer_death PROGRAM ARGUMENTS...
 *
 * Runs a floor program that has two processes. Kills the first process and asserts that the second one ends too. Then runs the
 * program again, kills the second process and asserts that the first one ends with status 1.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 10, LIMIT_STEPS = 1500 };

/*
 * The processor time, in clock ticks of the kernel (10 ms), after which a process is certainly in the measured loop: before that it only
 * makes and maps some memory. A process whose peer dies before the two have met waits for it in vain, which is not what is tested.
 */
enum { TICKS_IN_LOOP = 5 };

static void pause_briefly(void) {
  nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
}

_Noreturn static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

struct stat_line {
  int parent;
  unsigned long ticks; /* processor time */
};

/* Returns zeros if there is no such process. */
static struct stat_line stat_of(pid_t pid) {
  char path[64];
  struct stat_line it = {0};
  unsigned long user = 0, system = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *stat = fopen(path, "re");
  if (!stat) return it;
  /* The command's name is in parentheses and may hold any character. The names of these programs hold no parenthesis. */
  if (fscanf(stat, "%*d (%*[^)]) %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &it.parent, &user, &system) != 3) it.parent = 0;
  it.ticks = user + system;
  fclose(stat);
  return it;
}

static pid_t child_of(pid_t pid) {
  pid_t found = 0;
  DIR *processes = opendir("/proc");
  if (!processes) fail("/proc can't be read");
  for (struct dirent *entry; !found && (entry = readdir(processes));) {
    const pid_t candidate = atoi(entry->d_name);
    if (candidate > 0 && stat_of(candidate).parent == pid) found = candidate;
  }
  closedir(processes);
  return found;
}

static pid_t start(char **argv, pid_t *child) {
  const pid_t program = fork();
  if (program < 0) fail("fork");
  if (program == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execv(argv[0], argv);
    _exit(127);
  }
  for (int i = 0; i < LIMIT_STEPS; i++) {
    pause_briefly();
    if (waitpid(program, NULL, WNOHANG) != 0) fail("the program ended before it was under way");
    *child = child_of(program);
    if (*child && stat_of(program).ticks >= TICKS_IN_LOOP && stat_of(*child).ticks >= TICKS_IN_LOOP) return program;
  }
  fail("the program has no second process, or the two do not begin");
}

/* Returns the status with which the process ended. An orphan becomes a child of this process, the subreaper, which sees its end. */
static int await_end(pid_t pid) {
  int status;
  for (int i = 0; i < LIMIT_STEPS; i++) {
    if (waitpid(pid, &status, WNOHANG) == pid) return status;
    pause_briefly();
  }
  kill(pid, SIGKILL);
  fail("a process outlived the other one");
}

int main(int argc, char **argv) {
  if (argc < 2) fail("usage: test_peer_death PROGRAM ARGUMENTS...");
  prctl(PR_SET_CHILD_SUBREAPER, 1);

  pid_t child;
  pid_t program = start(argv + 1, &child);
  kill(program, SIGKILL);
  await_end(program);
  await_end(child);

  program = start(argv + 1, &child);
  kill(child, SIGKILL);
  const int status = await_end(program);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 1) fail("the program did not report that the other process had ended");
  return 0;
}
