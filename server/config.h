/* SPDX-License-Identifier: Apache-2.0
 * config.h - what the operator chose: one field a row of flags.def, filled by flag, else by
 * environment, else by default. Plain values; immutable once the service runs. */
#ifndef SERVER_CONFIG_H
#define SERVER_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/text/buffer.h"

enum { CONFIG_LISTEN_MAX = 16 };

enum config_log_format { CONFIG_LOG_AUTO, CONFIG_LOG_JSON, CONFIG_LOG_TEXT };
enum config_access_log { CONFIG_ACCESS_OFF, CONFIG_ACCESS_ERRORS, CONFIG_ACCESS_ALL };
enum config_cpu { CONFIG_CPU_AUTO, CONFIG_CPU_GENERIC, CONFIG_CPU_AVX2, CONFIG_CPU_AVX512 };

/* Several values of one flag. The strings belong to whoever gave them (argv, environ). */
struct config_list {
    const char *item[CONFIG_LISTEN_MAX];
    size_t count;
};

struct config {
    struct config_list listen;  /* "127.0.0.1:8080", "[::]:0", "unix:/path,mode=0660" */
    uint64_t threads;           /* loops; 0: as many as the cores (or the cgroup) give */
    uint64_t workers;           /* threads of libuv's pool; 0: as many as loops */
    uint64_t cache_size;        /* bytes of finished answers kept */
    uint64_t table_size;        /* bytes of shared tables kept */
    uint64_t max_elements;      /* of one answer, binary formats */
    uint64_t max_text_elements; /* of one answer, json and csv */
    uint64_t max_body;          /* bytes of one request body */
    uint64_t max_connections;   /* open at once, process-wide */
    uint64_t max_inflight;      /* bytes of bodies and answers in memory, process-wide */
    uint64_t send_timeout_ms;   /* grows with the bytes sent / 64 KiB/s */
    uint64_t idle_timeout_ms;   /* between two requests of a connection */
    uint64_t header_timeout_ms; /* from accept to the end of the first head */
    uint64_t body_timeout_ms;   /* grows with the body's size / 32 KiB/s */
    uint64_t work_timeout_ms;   /* computing before the first byte */
    uint64_t drain_delay_ms;    /* serve on after TERM, readyz already 503 */
    uint64_t drain_timeout_ms;  /* then finish what is in flight */
    const char *warm;           /* file of request targets; NULL: none */
    const char *path_prefix;    /* "" or "/x", no slash at the end */
    int log_level;              /* enum log_level */
    int log_format;             /* enum config_log_format */
    int access_log;             /* enum config_access_log */
    int cpu_path;               /* enum config_cpu */
    bool drain_delay_given;     /* else 0 on a terminal and for SIGINT */
};

enum config_source { CONFIG_DEFAULT, CONFIG_ENVIRONMENT, CONFIG_FLAG };

/* One row of flags.def, as data: parser, --help and check-config read it. */
struct config_flag {
    const char *name;     /* "cache-size"; the environment twin is POSENCD_CACHE_SIZE */
    int kind;             /* config.c's own */
    size_t offset;        /* into struct config */
    const char *fallback; /* the default, as it would be written */
    const char *limits;   /* "1..1024", or the choices "off|errors|all" */
    const char *help;
};
extern const struct config_flag config_flags[];
extern const size_t config_flag_count;

/* What was wrong: a sentence that says what would be right. */
struct config_error {
    char text[512];
};

enum config_status {
    CONFIG_OK = 0,
    CONFIG_USAGE = 64,  /* a flag is wrong: exit code 64 */
    CONFIG_INVALID = 78 /* the environment or a combination is wrong: exit code 78 */
};

/* All defaults. */
void config_defaults(struct config *config);
/* Defaults, then `environ` (may be NULL), then the flags argv[0..argc). */
enum config_status config_load(struct config *config, int argc, char *const argv[],
                               char *const environ[], struct config_error *error);
/* The rules between values, and against RLIMIT_NOFILE; resolves threads and workers. */
enum config_status config_check(struct config *config, struct config_error *error);
/* The help of all flags, 80 columns. */
void config_help(struct buffer *out);
/* Every flag with its effective value and where it came from, one a line. */
void config_show(const struct config *config, struct buffer *out);

#endif
