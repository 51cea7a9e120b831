/* SPDX-License-Identifier: Apache-2.0
 * digest.c - the bytes of some 200 answers, by libposenc alone.
 *
 *     digest LIST              compute every answer of LIST and compare its SHA-256
 *     digest --write DIR LIST  only write the answers to files in DIR
 *
 * LIST is what `sha256sum` prints for files that are named as the questions are
 * ("rope?pos=0:4&dim=8"), in the order of their names. So a new LIST is made by writing the
 * answers to an empty DIR and calling `LC_ALL=C; cd DIR; sha256sum FILE...`.
 *
 * Comparing is done on every CPU path this machine has, once each answer in one piece and
 * once in small rectangles by several threads: the bytes must not depend on any of these. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/golden/digest_answer.h"

enum { LINE_MOST = 512, HASH = 64, NAME_AT = HASH + 2 };

static void die(const char *what)
{
    fprintf(stderr, "digest: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

static void write_file(const char *dir, const char *name, const void *bytes, size_t size)
{
    char path[4096];

    if ((size_t)snprintf(path, sizeof path, "%s/%s", dir, name) >= sizeof path)
        die("name too long");
    char *slash = strchr(path + strlen(dir) + 1, '/'); /* of rope/apply */
    if (slash && slash < path + strcspn(path, "?")) {
        *slash = '\0';
        (void)mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        die(path);
}

/* Calls `act` for every question of the list; returns their number. */
static int each_question(const char *list, void (*act)(const char *dir, const char *question),
                         const char *dir)
{
    char line[LINE_MOST];
    int count = 0;
    FILE *file = fopen(list, "r");

    if (!file)
        die(list);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strlen(line) <= NAME_AT)
            continue;
        act(dir, line + NAME_AT);
        count++;
    }
    fclose(file);
    return count;
}

static void write_whole(const char *dir, const char *question)
{
    struct digest_answer answer;

    if (!digest_answer_new(&answer, question, DIGEST_WHOLE))
        return; /* it has printed the reason; the file is missing */
    write_file(dir, question, answer.bytes, answer.size);
    digest_answer_free(&answer);
}

static void write_pieces(const char *dir, const char *question)
{
    struct digest_answer answer;

    if (!digest_answer_new(&answer, question, DIGEST_PIECES))
        return;
    write_file(dir, question, answer.bytes, answer.size);
    digest_answer_free(&answer);
}

static void remove_file(const char *dir, const char *question)
{
    char path[4096];

    snprintf(path, sizeof path, "%s/%s", dir, question);
    unlink(path);
}

/* Returns the number of files of DIR that have the hash of the list; prints the others. */
static int count_right(const char *dir, const char *list)
{
    char command[9000], line[LINE_MOST];
    int right = 0;
    char *absolute = realpath(list, NULL);

    if (!absolute)
        die(list);
    snprintf(command, sizeof command, "cd '%s' && sha256sum --check '%s' 2>/dev/null", dir,
             absolute);
    free(absolute);
    FILE *pipe = popen(command, "r");
    if (!pipe)
        die("sha256sum");
    while (fgets(line, sizeof line, pipe)) {
        const size_t len = strcspn(line, "\n");

        if (len > 4 && strncmp(line + len - 4, ": OK", 4) == 0)
            right++;
        else
            fputs(line, stdout);
    }
    pclose(pipe);
    return right;
}

static int compare(const char *list)
{
    static const char *const ways[] = {"in one piece", "in pieces by threads"};
    char dir[] = "/tmp/posenc-digest-XXXXXX";
    int passed = 0, failed = 0;

    if (!mkdtemp(dir))
        die(dir);
    for (size_t path = 0; path < pe_cpu_path_count(); path++) {
        if (!pe_cpu_path_set(path)) {
            printf("%s: this CPU does not have it\n", pe_cpu_path_name(path));
            continue;
        }
        for (int way = 0; way < 2; way++) {
            const int count = each_question(list, way == 0 ? write_whole : write_pieces, dir);
            const int right = count_right(dir, list);

            each_question(list, remove_file, dir);
            printf("%s, %s: %d of %d\n", pe_cpu_path_name(path), ways[way], right, count);
            passed += right;
            failed += count - right;
        }
    }
    rmdir(dir);
    printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return compare(argv[1]);
    if (argc == 4 && strcmp(argv[1], "--write") == 0) {
        each_question(argv[3], write_whole, argv[2]);
        return EXIT_SUCCESS;
    }
    fputs("usage: digest LIST | digest --write DIR LIST\n", stderr);
    return 64;
}
