/* SPDX-License-Identifier: Apache-2.0
 * u128.h - integers of 128 bits, without which nothing here is exact. */
#pragma once

#ifndef __SIZEOF_INT128__
#error "posenc needs integers of 128 bits: gcc or clang, for 64 bits or WebAssembly"
#endif

__extension__ typedef unsigned __int128 u128;
