/* SPDX-License-Identifier: Apache-2.0
 * epoll_fail.h - lets epoll_ctl of our own objects refuse to add a descriptor, as a kernel does
 * that is out of memory or at max_user_watches; libraries add theirs all the same. */
#pragma once

/* From now on adding a descriptor fails with this errno, whichever thread asks; 0: it works. */
void epoll_fail_set(int error);
