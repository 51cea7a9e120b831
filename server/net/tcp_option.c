/* SPDX-License-Identifier: Apache-2.0
 * tcp_option.c - setsockopt(2), as libmicrohttpd 0.9.75 expects it: it takes a socket for one
 * that is not TCP when an option of TCP fails with ENOPROTOOPT, which POSIX has for this case.
 * Linux says EOPNOTSUPP for a unix socket, and libmicrohttpd then tries two options in vain for
 * each block that it sends, and looks up the text of each error: a tenth of the CPU time of a
 * cached answer of 64 KiB, and more of a short one. This definition takes the place of the C
 * library's in the whole program, since MHD_add_connection has no way to tell what the socket
 * is. */
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

__attribute__((visibility("default"))) /* libraries are to find it */
int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
    int code = (int)syscall(SYS_setsockopt, fd, level, name, value, len);

    if (code != 0 && errno == EOPNOTSUPP && level == IPPROTO_TCP)
        errno = ENOPROTOOPT;
    return code;
}
