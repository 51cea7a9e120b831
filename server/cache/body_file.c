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

static void give_place(struct body_file_budget *budget)
{
    atomic_fetch_add_explicit(&budget->left, 1, memory_order_relaxed);
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

struct body_file *body_file_open(struct body_file_budget *budget)
{
    struct body_file *file;

    if (!take_place(budget))
        return NULL;
    file = malloc(sizeof *file);
    if (file)
        *file = (struct body_file){.budget = budget};
    if (file && (file->fd = memfd_create("posencd-body", MFD_CLOEXEC | MFD_ALLOW_SEALING)) >= 0)
        return file;
    give_place(budget);
    free(file);
    return NULL;
}

bool body_file_add(struct body_file *file, const char *bytes, size_t len)
{
    size_t before = body_file_memory(file->len);

    while (len > 0) {
        ssize_t written = write(file->fd, bytes, len);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            break;
        bytes += written;
        len -= (size_t)written;
        file->len += (size_t)written;
    }
    atomic_fetch_add_explicit(&file->budget->bytes, body_file_memory(file->len) - before,
                              memory_order_relaxed);
    return len == 0;
}

bool body_file_seal(struct body_file *file)
{
    void *mapped;

    if (fcntl(file->fd, F_ADD_SEALS, SEALS) != 0)
        return false;
    /* A private mapping that is never written to has the file's own pages; before Linux 6.7 a
     * sealed file has no other. */
    mapped = mmap(NULL, file->len, PROT_READ, MAP_PRIVATE, file->fd, 0);
    if (mapped == MAP_FAILED)
        return false;
    file->bytes = mapped;
    return true;
}

struct body_file *body_file_new(struct body_file_budget *budget, const char *bytes, size_t len)
{
    struct body_file *file = body_file_open(budget);

    if (file && body_file_add(file, bytes, len) && body_file_seal(file))
        return file;
    body_file_free(file);
    return NULL;
}

void body_file_free(struct body_file *file)
{
    if (!file)
        return;
    if (file->bytes)
        munmap((void *)(uintptr_t)file->bytes, file->len);
    close(file->fd);
    atomic_fetch_sub_explicit(&file->budget->bytes, body_file_memory(file->len),
                              memory_order_relaxed);
    give_place(file->budget);
    free(file);
}

int body_file_share(const struct body_file *file)
{
    int fd;

    if (!take_place(file->budget))
        return -1;
    fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        give_place(file->budget);
    return fd;
}

void body_file_end_share(const struct body_file *file)
{
    give_place(file->budget);
}
