/* SPDX-License-Identifier: Apache-2.0
 * fail.h - what is preloaded into posencd so that it fails: the n-th allocation, or the n-th
 * call of one kind of system call. What fails next is told through a file that both sides map,
 * named by POSENC_FAIL, so that a server lives through thousands of faults, one by one. */
#ifndef TESTS_CAMPAIGN_FAIL_H
#define TESTS_CAMPAIGN_FAIL_H

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

/* This call is the one: its error, or 0. */
int fail_now(enum kind kind);
/* What it would be told; 0: nothing is. */
int fail_error(void);

#endif
