/* SPDX-License-Identifier: Apache-2.0
 * terminal.c - see terminal.h. */
#include "server/cli/command/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is_output(void)
{
    return isatty(STDOUT_FILENO);
}

size_t terminal_columns(void)
{
    struct winsize size = {0};

    return terminal_is_output() && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col
                                                                                : 0;
}
