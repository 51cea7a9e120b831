/* SPDX-License-Identifier: Apache-2.0
 * socket_ack.h - acknowledges what a TCP socket has received without the kernel's delay of 40
 * ms. A client without TCP_NODELAY keeps its request until its last message of the TLS
 * handshake is acknowledged, and under TLS 1.3 the server has nothing to send that would do
 * so. */
#pragma once

/* A socket that is not of TCP is left as it is. */
void socket_ack_now(int fd);
