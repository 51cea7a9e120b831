/* SPDX-License-Identifier: Apache-2.0
 * mounted_model.c - see mounted_model.h. */
#include "server/files/mounted_model.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "proto/models/hf/hf_config.h"
#include "proto/models/models.h"

enum { FILE_MAX = 4 << 20 /* bytes of a configuration */ };

struct mounted_model {
    atomic_uint owners;
    struct hf_config *config;
    XXH128_hash_t hash; /* of the file's bytes */
};

bool mounted_model_is_name(const char *name, size_t len)
{
    return len > 0 && len < MOUNTED_MODEL_NAME_SIZE && name[0] != '.' &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") >=
               len;
}

/* Parses the file as a JSON body, and hashes it; false, and the reason in `why`. */
static bool read_body(struct json_body *body, XXH128_hash_t *hash, int fd, char *why,
                      size_t size)
{
    XXH3_state_t *state = XXH3_createState();
    char bytes[16384];
    ssize_t got = -1;
    bool right = true; /* a file is read up to its first fault */

    errno = ENOMEM;
    if (state && XXH3_128bits_reset(state) == XXH_OK)
        while (right && (got = read(fd, bytes, sizeof bytes)) > 0) {
            right = json_body_add(body, bytes, (size_t)got) == JSON_BODY_OK;
            XXH3_128bits_update(state, bytes, (size_t)got);
        }
    if (got >= 0)
        *hash = XXH3_128bits_digest(state);
    else
        snprintf(why, size, "cannot be read: %s", strerror(errno));
    XXH3_freeState(state);
    if (got == 0 && json_body_finish(body) == JSON_BODY_OK)
        return true;
    if (got >= 0)
        snprintf(why, size, "%s", *json_body_error(body) ? json_body_error(body) : "no memory");
    return false;
}

static struct mounted_model *load(int dir, const char *path, const char *id, char *why,
                                  size_t size)
{
    int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct json_body *body = fd >= 0 ? hf_config_body(FILE_MAX) : NULL;
    struct mounted_model *mounted = calloc(1, sizeof *mounted);
    struct pe_errors *errors = calloc(1, sizeof *errors);

    if (fd < 0)
        snprintf(why, size, "cannot be opened: %s", strerror(errno));
    else if (!body || !mounted || !errors)
        snprintf(why, size, "no memory");
    else if (models_find(models_embedded(), id, strlen(id)))
        snprintf(why, size, "is the name of a built-in model; give it another");
    else if (read_body(body, &mounted->hash, fd, why, size)) {
        mounted->config = hf_config_read(body, NULL, id, errors);
        if (!mounted->config && errors->count > 0)
            snprintf(why, size, "%.60s %.130s", errors->at[0].parameter, errors->at[0].detail);
        else if (!mounted->config)
            snprintf(why, size, "no memory");
    }
    if (fd >= 0)
        close(fd);
    json_body_free(body);
    free(errors);
    if (mounted && mounted->config) {
        atomic_init(&mounted->owners, 1);
        return mounted;
    }
    free(mounted);
    return NULL;
}

struct mounted_model *mounted_model_read(int dir, const char *path, const char *id, char *why,
                                         size_t size)
{
    struct stat status;

    why[0] = '\0';
    if (fstatat(dir, path, &status, 0) == 0) {
        if (S_ISREG(status.st_mode))
            return load(dir, path, id, why, size);
        if (!S_ISDIR(status.st_mode))
            snprintf(why, size, "must be a regular file, not a pipe, a socket or a device");
        return NULL;
    }
    if (errno != ENOENT && errno != ENOTDIR)
        snprintf(why, size, "cannot be looked at: %s", strerror(errno));
    return NULL;
}

struct mounted_model *mounted_model_share(struct mounted_model *mounted)
{
    atomic_fetch_add(&mounted->owners, 1);
    return mounted;
}

void mounted_model_drop(struct mounted_model *mounted)
{
    if (mounted && atomic_fetch_sub(&mounted->owners, 1) == 1) {
        hf_config_free(mounted->config);
        free(mounted);
    }
}

const struct model *mounted_model_get(const struct mounted_model *mounted)
{
    return hf_config_model(mounted->config);
}

bool mounted_model_equal(const struct mounted_model *a, const struct mounted_model *b)
{
    return XXH128_isEqual(a->hash, b->hash) != 0;
}
