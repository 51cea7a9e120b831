/* SPDX-License-Identifier: Apache-2.0
 * body_file.c - see body_file.h. The bytes are written, not copied into a mapping: the kernel
 * then takes a page without clearing it first, and no page is mapped that is never read by this
 * process. */
#include "server/cache/body_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SEALS = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE };

size_t body_file_memory(size_t len)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);

    return (len + page - 1) / page * page;
}

static bool take_place(struct body_file_budget *budget)
{
    uint64_t left = atomic_load_explicit(&budget->left, memory_order_relaxed);

    while (left > 0)
        if (atomic_compare_exchange_weak_explicit(&budget->left, &left, left - 1,
                                                  memory_order_relaxed, memory_order_relaxed))
            return true;
    return false;
}

static bool write_all(int fd, const char *bytes, size_t len)
{
    while (len > 0) {
        ssize_t written = write(fd, bytes, len);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        len -= (size_t)written;
    }
    return true;
}

/* Returns a mapping of the sealed file of these bytes and its descriptor, or MAP_FAILED. */
static void *make(const char *bytes, size_t len, int *fd)
{
    void *mapped = MAP_FAILED;

    *fd = memfd_create("posencd-body", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*fd < 0)
        return MAP_FAILED;
    if (write_all(*fd, bytes, len) && fcntl(*fd, F_ADD_SEALS, SEALS) == 0)
        mapped = mmap(NULL, len, PROT_READ, MAP_SHARED, *fd, 0);
    if (mapped == MAP_FAILED)
        close(*fd);
    return mapped;
}

struct body_file *body_file_new(struct body_file_budget *budget, const char *bytes, size_t len)
{
    struct body_file *file;
    void *mapped;
    int fd;

    if (!take_place(budget))
        return NULL;
    file = malloc(sizeof *file);
    mapped = file ? make(bytes, len, &fd) : MAP_FAILED;
    if (mapped == MAP_FAILED) {
        atomic_fetch_add_explicit(&budget->left, 1, memory_order_relaxed);
        free(file);
        return NULL;
    }
    *file = (struct body_file){.budget = budget, .bytes = mapped, .len = len, .fd = fd};
    atomic_fetch_add_explicit(&budget->bytes, body_file_memory(len), memory_order_relaxed);
    return file;
}

void body_file_free(struct body_file *file)
{
    if (!file)
        return;
    munmap((void *)(uintptr_t)file->bytes, file->len);
    close(file->fd);
    atomic_fetch_sub_explicit(&file->budget->bytes, body_file_memory(file->len),
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&file->budget->left, 1, memory_order_relaxed);
    free(file);
}

int body_file_share(const struct body_file *file)
{
    return fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
}
