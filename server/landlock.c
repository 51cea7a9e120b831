/* SPDX-License-Identifier: Apache-2.0
 * landlock.c - see landlock.h. Every right to change files is handled, as far as the kernel
 * knows it, so that what no rule grants is refused. */
#include "server/landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "server/config/address.h"

/* The rights of the first version, without reading; later versions have one more each. */
static const uint64_t first_rights =
    LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

/* The right to cut a file short (Landlock version 3), which Debian 12's headers lack. */
#define TRUNCATE (1u << 14)

static const uint64_t table_rights = LANDLOCK_ACCESS_FS_WRITE_FILE |
                                     LANDLOCK_ACCESS_FS_REMOVE_FILE |
                                     LANDLOCK_ACCESS_FS_MAKE_REG | TRUNCATE;
static const uint64_t socket_rights =
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_SOCK;

struct rules {
    int fd;
    uint64_t rights; /* that the kernel knows */
    int error;       /* errno of the first rule that it did not take; 0: none */
};

/* Grants rights below a folder. A folder that is not there is told by what uses it. */
static void grant(struct rules *rules, const char *folder, uint64_t rights)
{
    struct landlock_path_beneath_attr beneath = {.allowed_access = rights & rules->rights};

    beneath.parent_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (beneath.parent_fd < 0)
        return;
    if (syscall(SYS_landlock_add_rule, rules->fd, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0) != 0)
        rules->error = errno;
    close(beneath.parent_fd);
}

static void grant_sockets(struct rules *rules, const struct config_list *list)
{
    struct address address;
    char why[300], folder[sizeof((struct sockaddr_un *)0)->sun_path];

    for (size_t i = 0; i < list->count; i++) {
        if (!address_parse(&address, list->item[i], why, sizeof why) ||
            !address_is_unix(&address))
            continue;
        snprintf(folder, sizeof folder, "%s",
                 ((const struct sockaddr_un *)&address.addr)->sun_path);
        char *slash = strrchr(folder, '/');
        if (slash)
            slash[slash == folder] = '\0';
        grant(rules, slash ? folder : ".", socket_rights);
    }
}

/* Makes an empty set of rules. False: the kernel has no Landlock, or takes no set. */
static bool begin(struct rules *rules)
{
    struct landlock_ruleset_attr attr;
    long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    if (version < 1)
        return false;
    rules->rights = first_rights | (version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0) |
                    (version >= 3 ? TRUNCATE : 0);
    attr = (struct landlock_ruleset_attr){.handled_access_fs = rules->rights};
    rules->fd = (int)syscall(SYS_landlock_create_ruleset, &attr, sizeof attr, 0);
    return rules->fd >= 0;
}

enum landlock_result landlock_process(const struct config *config, char *why, size_t size)
{
    struct rules rules = {.fd = -1};

    if (!begin(&rules)) {
        snprintf(why, size, "the kernel has no Landlock: %s", strerror(errno));
        return LANDLOCK_MISSING;
    }
    if (config->admin_token_file && config->learned_tables_dir)
        grant(&rules, config->learned_tables_dir, table_rights);
    grant_sockets(&rules, &config->listen);
    grant_sockets(&rules, &config->admin_listen);
    if (rules.error == 0 && (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
                             syscall(SYS_landlock_restrict_self, rules.fd, 0) != 0))
        rules.error = errno;
    close(rules.fd);
    if (rules.error == 0)
        return LANDLOCK_RESTRICTED;
    snprintf(why, size, "--seccomp: the kernel does not take the rules for files: %s",
             strerror(rules.error));
    return LANDLOCK_FAILED;
}
