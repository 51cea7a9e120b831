/* SPDX-License-Identifier: Apache-2.0
 * config.h - what the operator chose: one field a row of flags.def, filled by flag, else by
 * environment, else by default. Plain values, immutable once the service runs. */
#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/buffer.h"
#include "server/config/config_value.h"

struct log;

enum { CONFIG_PREFIX_MAX = 128 };

enum config_log_format { CONFIG_LOG_AUTO, CONFIG_LOG_JSON, CONFIG_LOG_TEXT };
enum config_seccomp { CONFIG_SECCOMP_OFF, CONFIG_SECCOMP_LOG, CONFIG_SECCOMP_ON };
enum config_access_log { CONFIG_ACCESS_OFF, CONFIG_ACCESS_ERRORS, CONFIG_ACCESS_ALL };

enum config_id {
#define FLAG(ID, FIELD, NAME, KIND, FALLBACK, LOW, HIGH, CHOICES, HELP) CONFIG_##ID,
#include "server/config/flags.def"
    CONFIG_COUNT
};

enum config_alias {
#define FLAG_ALIAS(ID, NAME) CONFIG_ALIAS_##ID,
#include "server/config/flags.def"
    CONFIG_ALIAS_COUNT
};

enum config_source { CONFIG_DEFAULT, CONFIG_ENVIRONMENT, CONFIG_FLAG };

struct config {
    struct config_list listen; /* "127.0.0.1:8080", "[::]:0", "unix:/path,mode=0660" */
    struct config_list admin_listen;
    uint64_t threads;                /* loops; 0: as many as cores (config_check fills it in) */
    uint64_t workers;                /* threads of libuv's pool; 0: as many as loops */
    uint64_t threads_short;          /* that config_check gave up: more are not allowed */
    uint64_t cache_size;             /* bytes of finished answers kept */
    uint64_t shared_table_cache;     /* bytes of shared tables kept */
    uint64_t max_elements;           /* of one answer in a binary format */
    uint64_t max_text_elements;      /* of one answer in json or csv */
    uint64_t max_body;               /* bytes of one request body */
    uint64_t max_connections;        /* open at once, process-wide */
    uint64_t max_per_address;        /* of them from one client address; 0: no limit */
    uint64_t max_inflight;           /* bytes of bodies and answers in memory, process-wide */
    uint64_t max_memory;             /* bytes of the process; 0: what its cgroup allows */
    const char *cgroup_root;         /* where that is mounted; NULL: none holds */
    uint64_t send_timeout_ms;        /* grows with the bytes sent / 64 KiB/s */
    uint64_t idle_timeout_ms;        /* between two requests of a connection */
    uint64_t header_timeout_ms;      /* from accept to the end of the first head */
    uint64_t body_timeout_ms;        /* grows with the body's size / 32 KiB/s */
    uint64_t work_timeout_ms;        /* computing before the first byte */
    uint64_t drain_delay_ms;         /* serve on after TERM, /readyz already 503 */
    uint64_t drain_timeout_ms;       /* then finish what is in flight */
    const char *warm;                /* file of request targets; NULL: none */
    const char *models_dir;          /* folder of config.json files; NULL: none */
    const char *learned_tables_dir;  /* folder of .safetensors files; NULL: none */
    uint64_t learned_tables_memory;  /* bytes of those files */
    const char *path_prefix;         /* "/posenc"; NULL: none */
    struct config_list cors_origins; /* "https://app.example"; or "*" alone */
    struct config_list allowed_hosts; /* "posenc.example", "[::1]"; none: any */
    const char *api_keys_file;        /* NULL: no key is needed */
    const char *admin_token_file;
    int cache_public;     /* 0, 1 */
    const char *tls_cert; /* both or none */
    const char *tls_key;
    int seccomp;                        /* enum config_seccomp */
    int log_level;                      /* enum log_level */
    int log_format;                     /* enum config_log_format */
    int access_log;                     /* enum config_access_log */
    int cpu_path;                       /* 0: the best there is, else 1 + the path's number */
    unsigned char source[CONFIG_COUNT]; /* enum config_source of each flag */
    bool old_name[CONFIG_ALIAS_COUNT];  /* whether the flag was given by this old name */
};

/* What was wrong: a sentence that says what would be right. */
struct config_error {
    char text[512];
};

/* Exit codes of a configuration that cannot be used. */
enum config_status {
    CONFIG_OK = 0,
    CONFIG_USAGE = 64,  /* a flag is wrong */
    CONFIG_INVALID = 78 /* the environment, or values that do not fit together */
};

/* All defaults. */
void config_defaults(struct config *config);
/* Defaults, then environ (NULL: none), then the flags argv[0..argc). The strings must
 * outlive the configuration. */
enum config_status config_load(struct config *config, int argc, char *const argv[],
                               char *const environ[], struct config_error *error);
/* The rules between values and against RLIMIT_NOFILE and the limits of threads; fills in
 * threads and workers, as many of those that are auto as may be started. */
enum config_status config_check(struct config *config, struct config_error *error);
/* Bytes that the process may have under a cgroup of this limit; UINT64_MAX: no limit. */
uint64_t config_memory(const struct config *config, uint64_t cgroup_limit);
/* Logs each old name of a flag that was given, with the name that it has now. */
void config_log_old_names(const struct config *config, struct log *log);
/* Help for all flags, at most 104 columns. */
void config_help(struct buffer *out);
/* Every flag with its value and where that came from, one a line. */
void config_show(const struct config *config, struct buffer *out);

#endif
