/* SPDX-License-Identifier: Apache-2.0
 * mhd.h - libmicrohttpd's settings that more than one file depends on. */
#pragma once

/* The memory pool of a connection: request line, header lines and the head of the response.
 * After each request libmicrohttpd zeroes it, but for what it has read of the next one, and
 * before that the end of a read buffer that it shrinks: 24 KiB in all, which take 0.1 us for
 * one connection and up to 1 us where a thousand take turns. A pool of 12 KiB would save a
 * quarter of that, and refuses heads of 100 lines (two wire cases), of which libmicrohttpd
 * keeps 56 bytes each. So its size is what heads need. */
enum { MHD_POOL_BYTES = 16384 };
