/* SPDX-License-Identifier: Apache-2.0
 * config_sockets.c - which flag serves each socket that the service manager has passed. An
 * address fd:NAME becomes fd:N for each socket of that name. */
#include <stdio.h>
#include <string.h>

#include "server/config/address.h"
#include "server/config/config.h"
#include "server/sys/passed_sockets.h"

/* The sockets, and those that an address has claimed. */
struct claims {
    const struct passed_sockets *sockets;
    bool taken[PASSED_SOCKETS_MAX];
    struct config_error *error;
};

enum { NAME_MOST = 40, ADVICE_SIZE = NAME_MOST + sizeof ADDRESS_PASSED };

/* Returns whether fd:NAME, as a word of a shell, means the name: digits alone are a
 * descriptor. */
static bool is_plain(const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.@-";
    const size_t len = strlen(name);

    return len > 0 && len <= NAME_MOST && strspn(name, plain) == len &&
           strspn(name, "0123456789") < len;
}

/* Returns whether an address has claimed a socket of this name. */
static bool is_claimed(const struct claims *claims, const char *name)
{
    for (size_t i = 0; i < claims->sockets->count; i++)
        if (claims->taken[i] && strcmp(name, claims->sockets->name[i]) == 0)
            return true;
    return false;
}

/* Writes the address of a socket: its name, where that means it, else its descriptor. */
static void print_address(const char *name, size_t i, char out[ADVICE_SIZE])
{
    if (is_plain(name))
        snprintf(out, ADVICE_SIZE, ADDRESS_PASSED "%s", name);
    else
        snprintf(out, ADVICE_SIZE, ADDRESS_PASSED "%zu", PASSED_SOCKETS_FIRST + i);
}

static bool fail_missing(struct claims *claims, const char *flag, const char *item)
{
    const struct passed_sockets *sockets = claims->sockets;
    char names[PASSED_SOCKETS_MAX * (ADVICE_SIZE + 2)] = "", advice[ADVICE_SIZE];

    if (sockets->count == 0)
        return !config_fail(
            claims->error, CONFIG_INVALID,
            "--%s %s needs a service manager that passes sockets, such as systemd by "
            "posencd.socket; LISTEN_FDS and LISTEN_PID pass none to this process",
            flag, item);
    for (size_t i = 0; i < sockets->count; i++) {
        size_t len = strlen(names);

        print_address(sockets->name[i], i, advice);
        snprintf(names + len, sizeof names - len, "%s%s", i ? ", " : "", advice);
    }
    return !config_fail(claims->error, CONFIG_INVALID,
                        "--%s %s: the service manager has passed no such socket, but %s", flag,
                        item, names);
}

static bool append(struct claims *claims, const char *flag, struct config_list *list,
                   const char *item)
{
    if (list->count == CONFIG_LIST_MAX)
        return !config_fail(claims->error, CONFIG_INVALID, "--%s may have %d sockets", flag,
                            CONFIG_LIST_MAX);
    snprintf(list->item[list->count++], CONFIG_ITEM_SIZE, "%s", item);
    return true;
}

static bool take(struct claims *claims, const char *flag, struct config_list *list, size_t i)
{
    char item[CONFIG_ITEM_SIZE];

    if (claims->taken[i])
        return !config_fail(claims->error, CONFIG_INVALID,
                            "--%s fd:%zu: another address names this socket, too", flag,
                            PASSED_SOCKETS_FIRST + i);
    claims->taken[i] = true;
    snprintf(item, sizeof item, ADDRESS_PASSED "%zu", PASSED_SOCKETS_FIRST + i);
    return append(claims, flag, list, item);
}

/* Writes the sockets that one address means to the list. */
static bool resolve(struct claims *claims, const char *flag, struct config_list *list,
                    const char *item)
{
    const struct passed_sockets *sockets = claims->sockets;
    struct address address;
    bool any = false, ok = true;
    char why[300];

    if (!address_parse(&address, item, why, sizeof why) || !address.passed)
        return append(claims, flag, list, item);
    for (size_t i = 0; i < sockets->count && ok; i++) {
        if (address.fd >= 0 ? address.fd != PASSED_SOCKETS_FIRST + (int)i
                            : strcmp(item + strlen(ADDRESS_PASSED), sockets->name[i]) != 0)
            continue;
        any = true;
        ok = take(claims, flag, list, i);
    }
    return ok && (any || fail_missing(claims, flag, item));
}

static bool resolve_all(struct claims *claims, enum config_id id, struct config_list *list)
{
    struct config_list resolved = {.count = 0};

    for (size_t i = 0; i < list->count; i++)
        if (!resolve(claims, config_row_at(id)->name, &resolved, list->item[i]))
            return false;
    *list = resolved;
    return true;
}

/* The sockets that no address names are served in place of the default of --listen. */
static bool claim_rest(struct claims *claims, struct config *config)
{
    const char *flag = config_row_at(CONFIG_LISTEN)->name;
    char advice[ADVICE_SIZE];
    bool any = false;

    for (size_t i = 0; i < claims->sockets->count; i++) {
        const char *name = claims->sockets->name[i];

        if (claims->taken[i])
            continue;
        print_address(is_claimed(claims, name) ? "" : name, i, advice);
        if (config->source[CONFIG_LISTEN] != CONFIG_DEFAULT)
            return !config_fail(
                claims->error, CONFIG_INVALID,
                "the service manager has passed the socket %s, which no address "
                "names: give --listen %s or --admin-listen %s",
                advice, advice, advice);
        if (!any)
            config->listen.count = 0;
        any = true;
        if (!take(claims, flag, &config->listen, i))
            return false;
    }
    return true;
}

enum config_status config_claim_sockets(struct config *config,
                                        const struct passed_sockets *sockets,
                                        struct config_error *error)
{
    struct claims claims = {.sockets = sockets, .error = error};

    error->text[0] = '\0';
    return resolve_all(&claims, CONFIG_LISTEN, &config->listen) &&
                   resolve_all(&claims, CONFIG_ADMIN_LISTEN, &config->admin_listen) &&
                   claim_rest(&claims, config)
               ? CONFIG_OK
               : CONFIG_INVALID;
}
