/* SPDX-License-Identifier: Apache-2.0
 * mhd.h - libmicrohttpd's settings that more than one file depends on. */
#pragma once

/* The memory pool of a connection: request line, header lines and the head of the response. */
enum { MHD_POOL_BYTES = 16384 };
