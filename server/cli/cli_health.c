/* SPDX-License-Identifier: Apache-2.0
 * cli_health.c - posencd health: asks a running service for its health, in containers without
 * curl. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/cli/command/call.h"
#include "server/cli/command/say.h"
#include "server/cli/first_process.h"
#include "server/config/address.h"
#include "server/config/config.h"

/* Parses http://ADDRESS[:PORT][/path] or unix:PATH into an address and a path. */
static bool parse_url(const char *url, struct address *address, char *host, size_t host_size,
                      const char **path, char *why, size_t why_size)
{
    static const char scheme[] = "http://";
    const char *start = url, *end;
    size_t len;

    *path = "/readyz";
    if (strncmp(url, scheme, sizeof scheme - 1) == 0) {
        start = url + sizeof scheme - 1;
        end = start + strcspn(start, "/");
        if (*end)
            *path = end;
    } else {
        end = url + strlen(url);
    }
    len = (size_t)(end - start);
    if (len + 4 > host_size) {
        snprintf(why, why_size, "is too long");
        return false;
    }
    memcpy(host, start, len);
    host[len] = '\0';
    if (strncmp(start, "unix:", 5) != 0 &&
        !strpbrk(host + (*host == '[' ? strcspn(host, "]") : 0), ":"))
        memcpy(host + len, ":80", 4);
    if (!address_parse(address, host, why, why_size))
        return false;
    if (address->passed)
        snprintf(
            why, why_size,
            "must be an address that can be connected to, such as 127.0.0.1:8080; %s names "
            "a socket that only serve gets",
            host);
    return !address->passed;
}

/* The status of GET path; 0 if there was no response. */
static int ask(int fd, const char *host, const char *path)
{
    char text[8192 + 512];
    int len = snprintf(text, sizeof text,
                       "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", path, host);
    int status = 0;
    ssize_t got;

    if (len >= (int)sizeof text || send(fd, text, (size_t)len, MSG_NOSIGNAL) != len)
        return 0;
    got = recv(fd, text, sizeof text - 1, MSG_WAITALL);
    text[got > 0 ? got : 0] = '\0';
    return sscanf(text, "HTTP/1.1 %d", &status) == 1 ? status : 0;
}

static bool is_passed(const char *item)
{
    return strncmp(item, ADDRESS_PASSED, strlen(ADDRESS_PASSED)) == 0;
}

/* The address on which serve listens with these flags and this environment: the first of
 * --admin-listen, which sets *admin, else the first of --listen that speaks plain HTTP; sockets
 * that a service manager passes have none here. NULL, and the reason in `why`. */
static const char *default_address(struct config *config, const struct first_process *process,
                                   bool *admin, char *why, size_t why_size)
{
    struct config_error error;

    if (config_load(config, process->count, process->word, environ, &error) != CONFIG_OK) {
        snprintf(why, why_size, "%.*s", (int)strcspn(error.text, "\n"), error.text);
        return NULL;
    }
    for (size_t i = 0; i < config->admin_listen.count; i++)
        if (!is_passed(config->admin_listen.item[i])) {
            *admin = true;
            return config->admin_listen.item[i];
        }
    for (size_t i = 0; i < config->listen.count; i++)
        if (!is_passed(config->listen.item[i]) &&
            (!config->tls_cert || strncmp(config->listen.item[i], "unix:", 5) == 0))
            return config->listen.item[i];
    if (config->listen.count > 0 && is_passed(config->listen.item[0])) {
        snprintf(why, why_size,
                 "the service manager passes the sockets, whose addresses are "
                 "not known here; give --url");
        return NULL;
    }
    snprintf(why, why_size,
             "with --tls-cert, health is asked at --admin-listen or at a unix "
             "socket of --listen; give one");
    return NULL;
}

/* /readyz at that address: after --path-prefix, except at --admin-listen. */
static void default_path(const struct config *config, bool admin,
                         char path[CONFIG_PREFIX_MAX + 16])
{
    bool prefixed = config->path_prefix && !admin;

    snprintf(path, CONFIG_PREFIX_MAX + 16, "%.*s/readyz", CONFIG_PREFIX_MAX,
             prefixed ? config->path_prefix : "");
}

/* Asks at an address, with the path of the URL unless `behind` is one. */
static int ask_at(const char *url, const char *behind)
{
    struct address address;
    const char *path;
    char host[CONFIG_ITEM_SIZE + 4], why[400];
    int fd, status;

    if (!parse_url(url, &address, host, sizeof host, &path, why, sizeof why))
        return say_error(CLI_USAGE, "--url %s", why);
    fd = address_connect(&address);
    if (fd < 0)
        return say_error(1, "%.200s: %s", url, strerror(errno));
    status = ask(fd, address_is_unix(&address) ? "localhost" : host, *behind ? behind : path);
    close(fd);
    if (status == 200)
        return 0;
    if (status == 0)
        return say_error(1,
                         "%.200s gives no HTTP answer; with TLS, health needs --admin-listen "
                         "or a unix socket",
                         url);
    return say_error(1, "%.200s answers %d", url, status);
}

/* Asks where a service with the flags of process 1, if that is posencd, and with this
 * environment listens. */
static int ask_service(void)
{
    struct config config;
    struct first_process process;
    const char *url;
    char why[400], path[CONFIG_PREFIX_MAX + 16];
    bool admin = false;
    int code;

    if (!first_process_read(&process, FIRST_PROCESS, FIRST_PROCESS_SELF))
        return say_error(CLI_INTERNAL, "out of memory");
    url = default_address(&config, &process, &admin, why, sizeof why);
    if (url) {
        default_path(&config, admin, path);
        code = ask_at(url, path);
    } else {
        code = say_error(CONFIG_INVALID, "%s", why);
    }
    first_process_free(&process);
    return code;
}

int cli_health(const struct call *call)
{
    const char *url = call->value[COMMAND_OPTION_HEALTH_URL];

    if (call->wrong > 0)
        return CLI_USAGE;
    return url ? ask_at(url, "") : ask_service();
}
