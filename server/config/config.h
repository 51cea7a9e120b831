/* SPDX-License-Identifier: Apache-2.0
 * config.h - the configuration: one field for each row of flags.def, set by the flag, else by
 * the environment, else by the default. Plain values, immutable once the service runs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/buffer.h"
#include "server/config/config_value.h"

struct log;
struct passed_sockets;

enum { CONFIG_PREFIX_MAX = 128 };

enum config_log_format { CONFIG_LOG_AUTO, CONFIG_LOG_JSON, CONFIG_LOG_TEXT };
enum config_peer { CONFIG_PEER_ADDRESS, CONFIG_PEER_CONNECTION };
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
    struct config_list listen; /* "127.0.0.1:8080", "[::]:0", "unix:/path,mode=0660", "fd:3" */
    struct config_list admin_listen;
    uint64_t threads;            /* loops; 0: as many as cores (config_check fills it in) */
    uint64_t workers;            /* threads of the pool; 0: as many as loops */
    uint64_t threads_short;      /* by which config_check reduced loops and workers */
    uint64_t cache_size;         /* bytes of finished responses kept */
    uint64_t shared_table_cache; /* bytes of shared tables kept */
    uint64_t max_elements;       /* of one response in a binary format */
    uint64_t max_text_elements;  /* of one response in json or csv */
    uint64_t max_body;           /* bytes of one request body */
    uint64_t max_connections;    /* open at once, process-wide */
    uint64_t spare_files;        /* descriptors for the cache; config_check sets it */
    unsigned shortcuts_refused;  /* a set that is not used (library_check.h); 0 but in tests */
    uint64_t max_per_address;    /* of them from one client address; 0: no limit */
    int peer;                    /* enum config_peer: what is one client */
    uint64_t max_inflight;       /* bytes of bodies and responses in memory, process-wide */
    uint64_t max_memory;         /* bytes of the process; 0: as many as its cgroup allows */
    const char *cgroup_root;     /* where cgroups are mounted; NULL: their limits are ignored */
    uint64_t send_timeout_ms;    /* grows with the bytes sent / 64 KiB/s */
    uint64_t idle_timeout_ms;    /* between two requests of a connection */
    uint64_t max_connection_age_ms;   /* from which an answer closes its connection; 0: none */
    uint64_t header_timeout_ms;       /* from accept to the end of the first head */
    uint64_t body_timeout_ms;         /* grows with the body's size / 32 KiB/s */
    uint64_t work_timeout_ms;         /* for computing, before the first byte is sent */
    uint64_t drain_delay_ms;          /* after TERM, before connections are refused */
    uint64_t drain_timeout_ms;        /* after the delay, for requests in flight */
    const char *warm;                 /* file of request targets; NULL: none */
    const char *models_dir;           /* folder of config.json files; NULL: none */
    const char *learned_tables_dir;   /* folder of .safetensors files; NULL: none */
    uint64_t learned_tables_memory;   /* bytes of those files */
    const char *path_prefix;          /* "/posenc"; NULL: none */
    const char *public_url;           /* "https://posenc.example"; NULL: not known */
    int ui;                           /* 0, 1: pages for people */
    struct config_list cors_origins;  /* "https://app.example"; or "*" alone */
    struct config_list allowed_hosts; /* "posenc.example", "[::1]"; none: any */
    const char *api_keys_file;        /* NULL: no key is needed */
    const char *admin_token_file;
    int cache_public;     /* 0, 1 */
    const char *tls_cert; /* both or none */
    const char *tls_key;
    const char *tls_client_ca; /* NULL: clients are asked for no certificate */
    int seccomp;               /* enum config_seccomp */
    int log_level;             /* enum log_level */
    uint64_t log_rate;         /* lines a second */
    int log_format;            /* enum config_log_format */
    int access_log;            /* enum config_access_log */
    uint64_t log_fields;       /* of the access log: bit i is for the i-th enum access_field */
    int cpu_path; /* 0: the fastest that the CPU has; else 1 + number of the path */
    unsigned char source[CONFIG_COUNT]; /* enum config_source of each flag */
    bool old_name[CONFIG_ALIAS_COUNT];  /* whether the flag was given by this old name */
};

/* Sentences that say what would be right, a line each; the last may be cut. */
struct config_error {
    char text[4096];
};

/* Exit codes of a configuration that cannot be used. */
enum config_status {
    CONFIG_OK = 0,
    CONFIG_USAGE = 64,  /* a flag is unknown or has a wrong value */
    CONFIG_INVALID = 78 /* the environment is wrong, or values contradict each other */
};

/* Adds a sentence, on a line of its own. Returns the status. */
enum config_status config_fail(struct config_error *error, enum config_status status,
                               const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Sets every field to its default. */
void config_defaults(struct config *config);
/* Reads defaults, then environ (NULL: none), then the flags argv[0..argc). All that is
 * wrong is in *error, and the status is that of the first. The strings must outlive the
 * configuration. */
enum config_status config_load(struct config *config, int argc, char *const argv[],
                               char *const environ[], struct config_error *error);
/* Replaces each address fd:NAME by the sockets of that name. Sockets that no address names are
 * served in place of the default of --listen; if --listen was given, they are an error. */
enum config_status config_claim_sockets(struct config *config,
                                        const struct passed_sockets *sockets,
                                        struct config_error *error);
/* Checks the values against each other, the memory, RLIMIT_NOFILE and the limits of threads.
 * Sets threads and workers that are auto, to as many as can be started. */
enum config_status config_check(struct config *config, struct config_error *error);
/* Bytes that the process may have in a cgroup of this limit; UINT64_MAX: there is no limit. */
uint64_t config_memory(const struct config *config, uint64_t cgroup_limit);
/* Logs each old name of a flag that was given, with the name that it has now. */
void config_log_old_names(const struct config *config, struct log *log);
const struct config_row *config_row_at(size_t id); /* id < CONFIG_COUNT */
/* Writes the environment variable of a flag: "POSENCD_CACHE_SIZE". */
void config_write_variable(const struct config_row *row, struct buffer *out);
/* Help for all flags, at most 104 columns. */
void config_help(struct buffer *out);
/* Every flag with its value and its source, one a line. */
void config_show(const struct config *config, struct buffer *out);
