/*
 * Delays the calls of the file system below the folder SLOW_ROOT by SLOW_MICROSECONDS each, like the round trips of a
 * network file system. Loaded by LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 65536
static char is_slow[MOST_DESCRIPTORS];

static void pause_call(void) {
  static long microseconds = -1;
  if (microseconds < 0) microseconds = atol(getenv("SLOW_MICROSECONDS") ?: "0");
  usleep(microseconds);
}

static int is_below(const char *path) {
  const char *root = getenv("SLOW_ROOT");
  return root && path && strncmp(path, root, strlen(root)) == 0;
}

#define NEXT(type, name, ...) ((type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name))

static int opened(int descriptor, int slow) {
  if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS) is_slow[descriptor] = slow;
  return descriptor;
}

#define OPEN(name)                                                       \
  int name(const char *path, int flags, ...) {                           \
    va_list more;                                                        \
    va_start(more, flags);                                               \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; \
    va_end(more);                                                        \
    int slow = is_below(path);                                           \
    if (slow) pause_call();                                              \
    return opened(NEXT(int, name, const char *, int, ...)(path, flags, mode), slow); \
  }
OPEN(open)
OPEN(open64)

#define ON_PATH(type, name, path, parameters, types, arguments) \
  type name parameters {                                        \
    if (is_below(path)) pause_call();                           \
    return ((type (*) types)dlsym(RTLD_NEXT, #name)) arguments;  \
  }
ON_PATH(int, rename, from, (const char *from, const char *to), (const char *, const char *), (from, to))
ON_PATH(int, unlink, path, (const char *path), (const char *), (path))
ON_PATH(int, mkdir, path, (const char *path, mode_t mode), (const char *, mode_t), (path, mode))

#define ON_DESCRIPTOR(type, name, parameters, types, arguments)                              \
  type name parameters {                                                                     \
    if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS && is_slow[descriptor]) pause_call(); \
    return ((type (*) types)dlsym(RTLD_NEXT, #name)) arguments;                               \
  }
ON_DESCRIPTOR(ssize_t, write, (int descriptor, const void *bytes, size_t size), (int, const void *, size_t),
              (descriptor, bytes, size))
ON_DESCRIPTOR(ssize_t, pwrite64, (int descriptor, const void *bytes, size_t size, off64_t at),
              (int, const void *, size_t, off64_t), (descriptor, bytes, size, at))
ON_DESCRIPTOR(int, futimens, (int descriptor, const struct timespec times[2]), (int, const struct timespec[2]),
              (descriptor, times))
ON_DESCRIPTOR(int, fsync, (int descriptor), (int), (descriptor))

int close(int descriptor) {
  if (descriptor >= 0 && descriptor < MOST_DESCRIPTORS && is_slow[descriptor]) {
    is_slow[descriptor] = 0;
    pause_call();
  }
  return NEXT(int, close, int)(descriptor);
}
