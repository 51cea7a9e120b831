/* SPDX-License-Identifier: Apache-2.0
 * completion_script.c - see completion_script.h. */
#include "server/cli/completion_script.h"

#include <string.h>

static const struct {
    const char *shell, *script;
} scripts[] = {
#include "completion_scripts.h"
};
enum { SCRIPTS = sizeof scripts / sizeof scripts[0] };

size_t completion_script_count(void)
{
    return SCRIPTS;
}

const char *completion_script_shell(size_t i)
{
    return scripts[i].shell;
}

const char *completion_script_find(const char *shell)
{
    for (size_t i = 0; i < SCRIPTS; i++)
        if (strcmp(scripts[i].shell, shell) == 0)
            return scripts[i].script;
    return NULL;
}
