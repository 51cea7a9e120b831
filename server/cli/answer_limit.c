/* SPDX-License-Identifier: Apache-2.0
 * answer_limit.c - see answer_limit.h. */
#include "server/cli/answer_limit.h"

#include <stdio.h>

#include "server/cli/command/say.h"

bool answer_limit_set(struct config *config, const struct call *call, enum command_option_id id)
{
    char flag[64];
    char *argv[] = {flag, NULL};
    struct config tried;
    struct config_error error;

    if (!call->value[id])
        return true;
    snprintf(flag, sizeof flag, "--%s=%.40s", command_option_at(id)->name, call->value[id]);
    if (config_load(&tried, 1, argv, NULL, &error) != CONFIG_OK) {
        say_error(CLI_USAGE, "%s", error.text);
        return false;
    }
    if (id == COMMAND_OPTION_MAX_TEXT_ELEMENTS)
        config->max_text_elements = tried.max_text_elements;
    else
        config->max_elements = tried.max_elements;
    return true;
}
