/* SPDX-License-Identifier: Apache-2.0
 * loop_thread.h - the thread of a loop, which runs the loop's libmicrohttpd daemons (external
 * epoll). */
#pragma once

#include <stddef.h>

struct loop;
struct service;

/* Starts a loop and its thread. NULL: out of memory, descriptors or threads. */
struct loop *loop_thread_new(struct service *service, size_t index);
/* A loop ends in two steps, so that no freed loop is woken by another: first every loop closes
 * its connections (loop_thread_halt blocks until it has), then every loop is freed. */
void loop_thread_halt(struct loop *loop);
void loop_thread_free(struct loop *loop);
