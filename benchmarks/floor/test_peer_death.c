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

enum { STEP_MS = 10, LIMIT_STEPS = 500 };

static void pause_briefly(void) {
  nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
}

_Noreturn static void fail(const char *what) {
  fprintf(stderr, "%s\n", what);
  exit(1);
}

static pid_t parent_of(pid_t pid) {
  char path[64];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *stat = fopen(path, "re");
  if (!stat) return 0;
  /* The command's name is in parentheses and may hold any character. The names of these programs hold no parenthesis. */
  if (fscanf(stat, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
  fclose(stat);
  return parent;
}

static pid_t child_of(pid_t pid) {
  pid_t found = 0;
  DIR *processes = opendir("/proc");
  if (!processes) fail("/proc can't be read");
  for (struct dirent *entry; !found && (entry = readdir(processes));) {
    const pid_t candidate = atoi(entry->d_name);
    if (candidate > 0 && parent_of(candidate) == pid) found = candidate;
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
    if ((*child = child_of(program))) {
      pause_briefly(); /* so that both processes are in the measured loop */
      return program;
    }
  }
  fail("the program has no second process");
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
