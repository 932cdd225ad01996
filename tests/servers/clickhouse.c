/* A ClickHouse server out of libchdb.so, which is the whole engine as one shared library.
 *
 *   clickhouse LIBRARY DIR/config.xml DIR/db
 *
 * The library's chdb_query_cmdline() takes the command line of `clickhouse-local`, and the statement SYSTEM START LISTEN
 * makes that open ClickHouse's own listeners: what a client talks to is ClickHouse's code alone. It is started
 * interactively, at a pseudo-terminal: otherwise it sets an error handler that ends the whole process when a client breaks
 * off in the middle of a request. At its prompt it waits; `exit`, typed there on SIGTERM, ends it in an orderly way.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int keyboard;

/* What the engine echoes on its terminal; unread it would block once the terminal's buffer is full. */
static void *drain(void *unused) {
  char echo[4096];
  (void)unused;
  while (read(keyboard, echo, sizeof echo) > 0) {}
  return NULL;
}

/* Types `exit` when told to stop, and again every few seconds until the process has gone: what is typed before the prompt
 * appears may be thrown away. */
static void *stop(void *signals) {
  int received;
  struct timespec pause = {3, 0};
  sigwait(signals, &received);
  for (;;) {
    if (write(keyboard, "exit\n", 5) < 0) _exit(2);
    nanosleep(&pause, NULL);
  }
}

int main(int count, char **arguments) {
  sigset_t signals;
  pthread_t thread;
  char config[4200], path[4200];
  if (count != 4) return fputs("usage: clickhouse LIBRARY CONFIG FOLDER\n", stderr), 2;
  snprintf(config, sizeof config, "--config-file=%s", arguments[2]);
  snprintf(path, sizeof path, "--path=%s", arguments[3]);

  keyboard = posix_openpt(O_RDWR | O_NOCTTY);
  if (keyboard < 0 || grantpt(keyboard) || unlockpt(keyboard)) return perror("pseudo-terminal"), 1;
  int terminal = open(ptsname(keyboard), O_RDWR | O_NOCTTY);
  if (terminal < 0 || dup2(terminal, 0) < 0) return perror("pseudo-terminal"), 1;
  setenv("TERM", "dumb", 1);

  /* Blocked before any thread is made, so that every thread of the engine inherits it. */
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
  if (pthread_create(&thread, NULL, drain, NULL) || pthread_create(&thread, NULL, stop, &signals)) return 1;

  /* The library brings its own C++ runtime and allocator, which must not be mixed with ours. */
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
  void *(*query)(int, char **) = dlsym(library, "chdb_query_cmdline");
  const char *(*error_of)(void *) = dlsym(library, "chdb_result_error");
  if (!query || !error_of) return fprintf(stderr, "%s\n", dlerror()), 1;
  char *options[] = {"clickhouse-local", config, path, "--interactive", "--disable_suggestion", "--history_file=/dev/null",
                     "--query", "SYSTEM START LISTEN QUERIES DEFAULT", NULL};
  void *result = query(8, options);
  const char *error = result ? error_of(result) : "the engine gave no result";
  if (error) fprintf(stderr, "%s\n", error);
  fflush(NULL);
  /* Without the destructors of a library that still has threads. */
  _exit(error ? 1 : 0);
}
