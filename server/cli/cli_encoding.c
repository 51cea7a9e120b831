/* SPDX-License-Identifier: Apache-2.0
 * cli_encoding.c - see cli_encoding.h. A path of the service, /v1/rope/apply, names an encoding
 * too. */
#include "server/cli/cli_encoding.h"

#include <stdlib.h>
#include <string.h>

#include "server/cli/command/say.h"

const struct pe_encoding *cli_encoding_find(const char *name, const char *what)
{
    static const char path[] = "/v1/";
    const char *bare =
        strncmp(name, path, sizeof path - 1) == 0 ? name + sizeof path - 1 : name;
    const struct pe_encoding *enc = pe_find(bare, strlen(bare));
    const char *near;

    if (enc)
        return enc;
    const char **names = malloc(pe_count() * sizeof *names);
    size_t count = 0;
    for (; names && count < pe_count(); count++)
        names[count] = pe_name(pe_at(count));
    near = names ? pe_suggest(name, strlen(name), names, count) : NULL;
    say_unknown(what, name, near, "posencd encodings");
    free(names);
    return NULL;
}
