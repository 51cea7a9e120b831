/* SPDX-License-Identifier: Apache-2.0
 * fail.h - declares the library that is preloaded into posencd to make it fail at the n-th
 * allocation or the n-th system call of one kind. The next failure is chosen through a file
 * that both sides map, named by POSENC_FAIL, so that a server lives through thousands of
 * faults, one by one. */
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>

/* The order is that of KINDS in torture.py. */
enum kind {
    ALLOCATE,
    ACCEPT,
    RECV,
    SEND,
    READ,
    WRITE,
    OPEN,
    MMAP,
    EPOLL_CTL,
    EPOLL_WAIT,
    POLL,
    THREAD,
    RANDOM,
    SOCKET,
    STAT,
    LOG, /* write to standard error */
    SYNC,
    RENAME,
    UNLINK,
    CLOSE, /* of a file */
    KINDS
};
enum { SHORT_COUNT = -1 }; /* as an error: one byte is moved, the call succeeds */

struct control {
    _Atomic int64_t kind;      /* that fails */
    _Atomic int64_t countdown; /* 1: the next call; 0: none does */
    _Atomic int64_t error;     /* errno, or SHORT_COUNT */
    _Atomic int64_t sticky;    /* from then on every call fails until the countdown is 0 */
    _Atomic int64_t fired;     /* faults so far */
    _Atomic int64_t live;      /* allocations minus frees */
    _Atomic int64_t calls[KINDS];
};

/* Declares `real`, the library's own function of that name. */
#define REAL(TYPE, NAME, ...)                                                                  \
    static TYPE (*real)(__VA_ARGS__);                                                          \
    if (!real)                                                                                 \
    *(void **)&real = dlsym(RTLD_NEXT, #NAME)

/* Returns the error if this call is to fail, else 0. */
int fail_now(enum kind kind);
/* Returns the error that the call would get; 0: none. */
int fail_error(void);

/* Sets errno to `error` and returns -1. */
static inline int fail_with(int error)
{
    errno = error;
    return -1;
}
