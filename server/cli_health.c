/* SPDX-License-Identifier: Apache-2.0
 * cli_health.c - posencd health: asks a running service, for containers without curl. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/address.h"
#include "server/cli.h"
#include "server/config.h"

/* http://ADDRESS[:PORT][/path] or unix:PATH into an address and a path. */
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
    return address_parse(address, host, why, why_size);
}

/* The status of GET path, 0 if there was no answer. */
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

/* The address that serve would listen on first, with the same environment. */
static bool default_url(struct config *config, char *why, size_t why_size)
{
    struct config_error error;

    if (config_load(config, 0, NULL, environ, &error) == CONFIG_OK)
        return true;
    snprintf(why, why_size, "%.300s", error.text);
    return false;
}

int cli_health(int argc, char *argv[])
{
    struct config config;
    struct address address;
    const char *url = NULL, *path;
    char host[CONFIG_ITEM_SIZE + 4], why[400];
    int fd, status;

    if (argc == 2 && strcmp(argv[0], "--url") == 0)
        url = argv[1];
    else if (argc == 1 && strncmp(argv[0], "--url=", 6) == 0)
        url = argv[0] + 6;
    else if (argc != 0)
        return cli_fail(CLI_USAGE, "health takes --url http://ADDRESS:PORT[/path] or --url "
                                   "unix:PATH");
    if (!url) {
        if (!default_url(&config, why, sizeof why))
            return cli_fail(CONFIG_INVALID, "%s", why);
        url = config.listen.item[0];
    }
    if (!parse_url(url, &address, host, sizeof host, &path, why, sizeof why))
        return cli_fail(CLI_USAGE, "--url %s", why);
    fd = address_connect(&address);
    if (fd < 0)
        return cli_fail(1, "%.200s: %s", url, strerror(errno));
    status = ask(fd, address_is_unix(&address) ? "localhost" : host, path);
    close(fd);
    if (status == 200)
        return 0;
    return cli_fail(1, "%.200s answers %d", url, status);
}
