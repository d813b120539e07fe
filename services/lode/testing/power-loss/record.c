/*
 * Writes down what a program changes under a folder and what it has fsynced, so that a power loss can be played after it
 * was killed: whatever no fsync has covered may be undone. Loaded with LD_PRELOAD.
 *
 *   RECORD_ROOT  the folder, as a real path; changes elsewhere are not recorded
 *   RECORD_FILE  where the records go; outside of that folder
 *   RECORD_HELD  a folder of the same file system, where the content of a removed or replaced file stays
 *
 *   RECORD_SYNC  "none": fsync says yes and nothing is kept by it, as with PRAGMA synchronous = OFF
 *   RECORD_KILL  a file: once it is there and says "SUFFIX:N", the process is killed in place of the Nth write from
 *                     then on to files whose path ends so
 *
 * A record is written before the change that it tells of, by the same thread and under a lock that all processes share:
 * the order of the records is the order of the changes. A record that was cut off by a kill tells of nothing that was done.
 * Pages of a file that are changed through mmap are not recorded: SQLite does that with its -shm alone, which is no part of
 * what it keeps.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* What is recorded; the same letters as in records.ts. */
enum kind { WRITE = 'W', TRUNCATE = 'T', CREATE = 'C', REMOVE = 'R', MOVE = 'M', SYNC = 'S' };

/* All numbers little-endian; `first` and `second` are bytes that follow it: old content, or paths and names. */
struct record {
  uint32_t magic;
  uint32_t kind;
  uint64_t file;   /* inode of the file, or of the folder of a name */
  uint64_t offset; /* of a write; of SYNC: how long the records were when it began */
  uint64_t size;   /* of the file before the change */
  uint32_t first;
  uint32_t second;
};
#define MAGIC 0x4c4f4453u

static pthread_once_t started = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX], held[PATH_MAX];
static size_t root_length;
static int is_blind;
static char kill_order[PATH_MAX], kill_suffix[256];
static unsigned long kill_after;
static int records = -1;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_open)(const char *, int, ...);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_unlink)(const char *);
static int (*real_rename)(const char *, const char *);
static int (*real_link)(const char *, const char *);
static int (*real_mkdir)(const char *, mode_t);
static int (*real_rmdir)(const char *);
static int (*real_unlinkat)(int, const char *, int);
static char *(*real_mkdtemp)(char *);
static long (*real_syscall)(long, ...);

static void die(const char *what) {
  dprintf(2, "recording changes failed: %s: %s\n", what, strerror(errno));
  _exit(70);
}

static void *named(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (found == NULL) die(name);
  return found;
}

static void start(void) {
  real_write = named("write");
  real_pwrite = named("pwrite64");
  real_writev = named("writev");
  real_pwritev = named("pwritev64");
  real_ftruncate = named("ftruncate64");
  real_open = named("open64");
  real_fsync = named("fsync");
  real_fdatasync = named("fdatasync");
  real_unlink = named("unlink");
  real_rename = named("rename");
  real_link = named("link");
  real_mkdir = named("mkdir");
  real_rmdir = named("rmdir");
  real_unlinkat = named("unlinkat");
  real_mkdtemp = named("mkdtemp");
  real_syscall = named("syscall");
  const char *folder = getenv("RECORD_ROOT"), *file = getenv("RECORD_FILE"), *aside = getenv("RECORD_HELD");
  if (folder == NULL || file == NULL || aside == NULL) return;
  snprintf(root, sizeof root, "%s/", folder);
  root_length = strlen(root);
  snprintf(held, sizeof held, "%s", aside);
  const char *sync = getenv("RECORD_SYNC"), *order = getenv("RECORD_KILL");
  is_blind = sync != NULL && strcmp(sync, "none") == 0;
  if (order != NULL) snprintf(kill_order, sizeof kill_order, "%s", order);
  records = real_open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (records < 0) die(file);
}

static int is_recording(void) {
  pthread_once(&started, start);
  return records >= 0;
}

/* The lock is the kernel's, which lets go of it when a process is killed. */
static void lock(void) {
  pthread_mutex_lock(&mutex);
  while (flock(records, LOCK_EX) != 0)
    if (errno != EINTR) die("flock");
}

static void unlock(void) {
  int kept = errno;
  flock(records, LOCK_UN);
  pthread_mutex_unlock(&mutex);
  errno = kept;
}

static uint64_t length_of_records(void) {
  struct stat found;
  if (fstat(records, &found) != 0) die("fstat");
  return (uint64_t)found.st_size;
}

static void put(const void *bytes, size_t length) {
  for (const char *at = bytes; length > 0;) {
    ssize_t done = real_write(records, at, length);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) die("write");
    at += done;
    length -= (size_t)done;
  }
}

static void tell(uint32_t kind, uint64_t file, uint64_t offset, uint64_t size, const void *first, size_t first_length,
                 const void *second, size_t second_length) {
  struct record told = {MAGIC, kind, file, offset, size, (uint32_t)first_length, (uint32_t)second_length};
  size_t length = sizeof told + first_length + second_length;
  char *all = malloc(length);
  if (all == NULL) die("malloc");
  memcpy(all, &told, sizeof told);
  if (first_length > 0) memcpy(all + sizeof told, first, first_length);
  if (second_length > 0) memcpy(all + sizeof told + first_length, second, second_length);
  put(all, length);
  free(all);
}

/* The absolute path of a name; false when it is not under the root. */
static int under_root(const char *path, char *found) {
  char folder[PATH_MAX], real[PATH_MAX];
  const char *slash = strrchr(path, '/');
  if (slash == NULL) {
    strcpy(folder, ".");
    slash = path - 1;
  } else if (slash == path) {
    return 0;
  } else {
    if ((size_t)(slash - path) >= sizeof folder) return 0;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = 0;
  }
  if (realpath(folder, real) == NULL) return 0;
  if (snprintf(found, PATH_MAX, "%s/%s", real, slash + 1) >= PATH_MAX) return 0;
  return strncmp(found, root, root_length) == 0;
}

/* True for a file, or for a folder, under the root that a descriptor is open on. */
static int is_ours(int fd, struct stat *found) {
  char link[64], path[PATH_MAX];
  if (fstat(fd, found) != 0 || !(S_ISREG(found->st_mode) || S_ISDIR(found->st_mode))) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  if (S_ISDIR(found->st_mode) && (size_t)length == root_length - 1) return strncmp(path, root, (size_t)length) == 0;
  return strncmp(path, root, root_length) == 0;
}

static uint64_t folder_of(const char *path) {
  char folder[PATH_MAX];
  struct stat found;
  snprintf(folder, sizeof folder, "%s", path);
  char *slash = strrchr(folder, '/');
  *slash = 0;
  return stat(folder, &found) == 0 ? (uint64_t)found.st_ino : 0;
}

/* Ends the process where it was ordered to be ended. The lock is held. */
static void die_in_time(int fd) {
  char link[64], path[PATH_MAX], order[300];
  if (kill_order[0] == 0) return;
  if (kill_after == 0) {
    int reading = real_open(kill_order, O_RDONLY | O_CLOEXEC);
    if (reading < 0) return;
    ssize_t read_bytes = read(reading, order, sizeof order - 1);
    close(reading);
    order[read_bytes < 0 ? 0 : read_bytes] = 0;
    if (sscanf(order, "%255[^:]:%lu", kill_suffix, &kill_after) != 2) return;
  }
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  size_t suffix = strlen(kill_suffix);
  if (length < (ssize_t)suffix || strncmp(path + length - suffix, kill_suffix, suffix) != 0) return;
  if (--kill_after == 0) kill(getpid(), SIGKILL);
}

/* What a file has at a place, to be freed. The descriptor may be for writing only: the file is opened anew. */
static char *content_of(int fd, off_t offset, size_t length) {
  char link[64], *content = malloc(length);
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int reading = real_open(link, O_RDONLY | O_CLOEXEC);
  if (content == NULL || reading < 0) die("reading what was there");
  for (size_t done = 0; done < length;) {
    ssize_t some = pread(reading, content + done, length - done, offset + (off_t)done);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) die("pread");
    done += (size_t)some;
  }
  close(reading);
  return content;
}

static void tell_write(int fd, const struct stat *found, off_t offset, size_t length) {
  size_t old = 0;
  char *content = NULL;
  if (offset < found->st_size) {
    old = (size_t)(found->st_size - offset) < length ? (size_t)(found->st_size - offset) : length;
    content = content_of(fd, offset, old);
  }
  tell(WRITE, found->st_ino, (uint64_t)offset, (uint64_t)found->st_size, content, old, NULL, 0);
  free(content);
}

static off_t place_of(int fd, const struct stat *found) {
  if (fcntl(fd, F_GETFL) & O_APPEND) return found->st_size;
  off_t at = lseek(fd, 0, SEEK_CUR);
  return at < 0 ? 0 : at;
}

/* `change`, after what it changes of `length` bytes at `offset` (-1: where the descriptor is) was told. */
#define WRITING(fd, length, offset, change)                                              \
  struct stat found;                                                                     \
  if (!is_recording() || !is_ours(fd, &found)) return change;                            \
  lock();                                                                                \
  die_in_time(fd);                                                                       \
  if (fstat(fd, &found) != 0) die("fstat");                                              \
  tell_write(fd, &found, (offset) < 0 ? place_of(fd, &found) : (offset), length);        \
  ssize_t done = change;                                                                 \
  unlock();                                                                              \
  return done;

static size_t total(const struct iovec *parts, int count) {
  size_t sum = 0;
  for (int n = 0; n < count; n++) sum += parts[n].iov_len;
  return sum;
}

ssize_t write(int fd, const void *bytes, size_t length) { WRITING(fd, length, -1, real_write(fd, bytes, length)) }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset) {
  WRITING(fd, length, offset, real_pwrite(fd, bytes, length, offset))
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count) {
  WRITING(fd, total(parts, count), -1, real_writev(fd, parts, count))
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
  WRITING(fd, total(parts, count), offset, real_pwritev(fd, parts, count, offset))
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) { return pwritev64(fd, parts, count, offset); }

/* Copies within the kernel are refused, as by a file system that can't: then the caller reads and writes. */
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned int flags) {
  (void)in, (void)from, (void)out, (void)to, (void)length, (void)flags;
  errno = ENOSYS;
  return -1;
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t length) {
  char bytes[65536];
  size_t some = length < sizeof bytes ? length : sizeof bytes;
  pthread_once(&started, start);
  ssize_t got = offset == NULL ? read(in, bytes, some) : pread(in, bytes, some, *offset);
  if (got <= 0) return got;
  ssize_t done = write(out, bytes, (size_t)got);
  if (done > 0 && offset != NULL) *offset += done;
  if (done >= 0 && offset == NULL && done < got) lseek(in, done - got, SEEK_CUR);
  return done;
}
ssize_t sendfile(int out, int in, off_t *offset, size_t length) { return sendfile64(out, in, offset, length); }
long syscall(long number, ...) {
  va_list arguments;
  long a[6];
  va_start(arguments, number);
  for (int n = 0; n < 6; n++) a[n] = va_arg(arguments, long);
  va_end(arguments);
  pthread_once(&started, start);
  if (number == SYS_copy_file_range && records >= 0) {
    errno = ENOSYS;
    return -1;
  }
  return real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static void tell_truncation(int fd, const struct stat *found, off_t size) {
  size_t old = size < found->st_size ? (size_t)(found->st_size - size) : 0;
  char *content = old > 0 ? content_of(fd, size, old) : NULL;
  tell(TRUNCATE, found->st_ino, (uint64_t)size, (uint64_t)found->st_size, content, old, NULL, 0);
  free(content);
}

int ftruncate64(int fd, off_t size) {
  struct stat found;
  if (!is_recording() || !is_ours(fd, &found)) return real_ftruncate(fd, size);
  lock();
  if (fstat(fd, &found) != 0) die("fstat");
  tell_truncation(fd, &found, size);
  int done = real_ftruncate(fd, size);
  unlock();
  return done;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

/* Room that is asked for beforehand is refused, as by a file system that can't: nobody relies on it. */
int posix_fallocate64(int fd, off_t offset, off_t length) { return (void)fd, (void)offset, (void)length, EOPNOTSUPP; }
int posix_fallocate(int fd, off_t offset, off_t length) { return posix_fallocate64(fd, offset, length); }
int fallocate64(int fd, int mode, off_t offset, off_t length) {
  (void)fd, (void)mode, (void)offset, (void)length;
  errno = EOPNOTSUPP;
  return -1;
}
int fallocate(int fd, int mode, off_t offset, off_t length) { return fallocate64(fd, mode, offset, length); }

int open64(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  char full[PATH_MAX];
  if (!is_recording() || !(flags & (O_CREAT | O_TRUNC)) || !under_root(path, full)) return real_open(path, flags, mode);
  lock();
  struct stat found;
  if (stat(full, &found) != 0) {
    tell(CREATE, folder_of(full), 0, 0, full, strlen(full), NULL, 0);
  } else if ((flags & O_TRUNC) && S_ISREG(found.st_mode)) {
    int fd = real_open(full, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
      tell_truncation(fd, &found, 0);
      close(fd);
    }
  }
  int fd = real_open(path, flags, mode);
  unlock();
  return fd;
}
int open(const char *path, int flags, ...) {
  mode_t mode = 0;
  if (flags & O_CREAT) {
    va_list arguments;
    va_start(arguments, flags);
    mode = va_arg(arguments, mode_t);
    va_end(arguments);
  }
  return open64(path, flags, mode);
}
int creat(const char *path, mode_t mode) { return open64(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static int synced(int fd, int (*sync)(int)) {
  struct stat found;
  if (!is_recording() || !is_ours(fd, &found)) return sync(fd);
  if (is_blind) return 0;
  lock();
  uint64_t before = length_of_records();
  unlock();
  int done = sync(fd);
  if (done == 0) {
    lock();
    tell(SYNC, found.st_ino, before, 0, NULL, 0, NULL, 0);
    unlock();
  }
  return done;
}
int fsync(int fd) {
  is_recording();
  return synced(fd, real_fsync);
}
int fdatasync(int fd) {
  is_recording();
  return synced(fd, real_fdatasync);
}

/* Keeps the content of a name that goes, under a name of its own that is given back. */
static size_t hold(const char *path, char *name) {
  static unsigned count;
  struct stat found;
  if (stat(path, &found) != 0) return 0;
  if (snprintf(name, PATH_MAX, "%s/%d-%u", held, getpid(), count++) >= PATH_MAX) die("the name of a held file");
  return real_link(path, name) == 0 ? strlen(name) : 0;
}

int unlink(const char *path) {
  char full[PATH_MAX], name[PATH_MAX];
  if (!is_recording() || !under_root(path, full)) return real_unlink(path);
  lock();
  size_t length = hold(full, name);
  if (length > 0) tell(REMOVE, folder_of(full), 0, 0, full, strlen(full), name, length);
  int done = real_unlink(path);
  unlock();
  return done;
}
int rename(const char *from, const char *to) {
  char full[PATH_MAX], target[PATH_MAX], name[PATH_MAX];
  if (!is_recording() || !under_root(from, full) || !under_root(to, target)) return real_rename(from, to);
  lock();
  size_t length = hold(target, name);
  if (length > 0) tell(REMOVE, folder_of(target), 0, 0, target, strlen(target), name, length);
  tell(MOVE, folder_of(target), 0, 0, full, strlen(full), target, strlen(target));
  int done = real_rename(from, to);
  unlock();
  return done;
}
int link(const char *from, const char *to) {
  char full[PATH_MAX];
  struct stat found;
  if (!is_recording() || !under_root(to, full)) return real_link(from, to);
  lock();
  if (lstat(full, &found) != 0) tell(CREATE, folder_of(full), 0, 0, full, strlen(full), NULL, 0);
  int done = real_link(from, to);
  unlock();
  return done;
}
int mkdir(const char *path, mode_t mode) {
  char full[PATH_MAX];
  struct stat found;
  if (!is_recording() || !under_root(path, full)) return real_mkdir(path, mode);
  lock();
  if (lstat(full, &found) != 0) tell(CREATE, folder_of(full), 0, 0, full, strlen(full), NULL, 0);
  int done = real_mkdir(path, mode);
  unlock();
  return done;
}
int rmdir(const char *path) {
  char full[PATH_MAX];
  if (!is_recording() || !under_root(path, full)) return real_rmdir(path);
  lock();
  tell(REMOVE, folder_of(full), 0, 0, full, strlen(full), NULL, 0);
  int done = real_rmdir(path);
  unlock();
  return done;
}
int remove(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISDIR(found.st_mode) ? rmdir(path) : unlink(path);
}
int unlinkat(int folder, const char *path, int flags) {
  char link[64], full[PATH_MAX], joined[PATH_MAX];
  if (!is_recording()) return real_unlinkat(folder, path, flags);
  if (path[0] == '/' || folder == AT_FDCWD) {
    snprintf(joined, sizeof joined, "%s", path);
  } else {
    snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, full, sizeof full - 1);
    if (length < 0) return real_unlinkat(folder, path, flags);
    full[length] = 0;
    if (snprintf(joined, sizeof joined, "%s/%s", full, path) >= PATH_MAX) die("the name of a removed file");
  }
  return flags & AT_REMOVEDIR ? rmdir(joined) : unlink(joined);
}
/* Told once it is there, since its name is not known before: a kill between the two leaves an empty folder. */
char *mkdtemp(char *pattern) {
  char full[PATH_MAX];
  is_recording();
  char *made = real_mkdtemp(pattern);
  if (made == NULL || records < 0 || !under_root(made, full)) return made;
  lock();
  tell(CREATE, folder_of(full), 0, 0, full, strlen(full), NULL, 0);
  unlock();
  return made;
}
