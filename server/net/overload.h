/* SPDX-License-Identifier: Apache-2.0
 * overload.h - measures the level of overload (overload_level.h), and shrinks the caches when
 * memory is short. */
#pragma once

struct service;

/* Sets service->overload_level: the highest level of connections, in-flight bytes and memory.
 * Every loop calls it every 100 ms. */
void overload_update(struct service *service);
/* Measures the memory in use, if it is limited: that of the process and, once a second, that of
 * its whole cgroup (overload_sample_cgroup). The first loop calls it every 100 ms. */
void overload_sample_memory(struct service *service);
/* Measures the memory of the process and of its cgroup, and shrinks the caches if the level of
 * memory asks for it. Any thread. */
void overload_sample_cgroup(struct service *service);
