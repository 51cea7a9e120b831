/* SPDX-License-Identifier: Apache-2.0
 * fail.h - what is preloaded into posencd so that it fails: the n-th allocation, or the n-th
 * call of one kind of system call. What fails next is told through a file that both sides map,
 * named by POSENC_FAIL, so that a server lives through thousands of faults, one by one. */
#ifndef TESTS_CAMPAIGN_FAIL_H
#define TESTS_CAMPAIGN_FAIL_H

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

/* This call is the one: its error, or 0. */
int fail_now(enum kind kind);
/* What it would be told; 0: nothing is. */
int fail_error(void);

/* The whole of `error` as a return value of -1. */
static inline int fail_with(int error)
{
    errno = error;
    return -1;
}

#endif
