/* SPDX-License-Identifier: Apache-2.0
 * floor.c BODY HEADERS [THREADS [SOCKET]] - the least a service of our making could do: a bare
 * libmicrohttpd daemon in a libuv loop, one a thread, that answers every request with the bytes
 * of BODY and the headers of HEADERS ("Name: value" lines). Threads share nothing; the kernel
 * deals connections to them. Prints its port; ends when standard input does. Its sockets have
 * the send buffer of posencd's: less is copied at once than the kernel would let, and a slow
 * client holds less of its memory. With SOCKET, the path of a unix socket or "", it sends a
 * file of memory by sendfile, as posencd sends a long body that it has sent before. */
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <uv.h>

enum { SEND_BUFFER = 262144, THREADS_MAX = 64 };

struct floor_server {
    struct MHD_Daemon *daemon;
    struct MHD_Response *response;
    uv_loop_t loop;
    uv_poll_t ready;
    uv_timer_t timer;
    uv_thread_t thread;
};

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_len, void **request)
{
    (void)url, (void)method, (void)version, (void)upload, (void)upload_len;
    struct floor_server *server = context;
    if (!*request) { /* the head; answering now would close the connection */
        *request = server;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK, server->response);
}

static void on_timer(uv_timer_t *timer);

static void run(struct floor_server *server)
{
    MHD_run(server->daemon);
    MHD_UNSIGNED_LONG_LONG wait = 0;
    if (MHD_get_timeout(server->daemon, &wait) == MHD_YES)
        uv_timer_start(&server->timer, on_timer, wait, 0);
    else
        uv_timer_stop(&server->timer);
}

static void on_timer(uv_timer_t *timer)
{
    run(timer->data);
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    (void)status, (void)events;
    run(poll->data);
}

static void on_input(uv_poll_t *poll, int status, int events)
{
    (void)status, (void)events;
    char byte;
    if (read(STDIN_FILENO, &byte, 1) <= 0)
        uv_stop(poll->loop);
}

/* Reads the whole file, NUL-terminated; *len may be NULL. */
static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");

    if (!file || fseek(file, 0, SEEK_END) != 0)
        exit(EXIT_FAILURE);
    const size_t size = (size_t)ftell(file);
    char *bytes = calloc(size + 1, 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, size, file) != size)
        exit(EXIT_FAILURE);
    fclose(file);
    if (len)
        *len = size;
    return bytes;
}

static struct MHD_Response *response_of_file(const char *body, size_t len)
{
    const int fd = memfd_create("floor", MFD_CLOEXEC);

    if (fd < 0 || write(fd, body, len) != (ssize_t)len)
        exit(EXIT_FAILURE);
    return MHD_create_response_from_fd64(len, fd);
}

static struct MHD_Response *ready_made(char *argv[])
{
    size_t len;
    char *body = read_file(argv[1], &len);
    char *line = read_file(argv[2], NULL);
    struct MHD_Response *response =
        argv[3] && argv[4] ? response_of_file(body, len)
                           : MHD_create_response_from_buffer(len, body, MHD_RESPMEM_PERSISTENT);

    for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        char *colon = strchr(line, ':');

        if (!colon || colon > end)
            exit(EXIT_FAILURE);
        *colon = *end = '\0';
        MHD_add_response_header(response, line, colon + 2);
    }
    return response;
}

/* Returns a socket that listens at the path. */
static MHD_socket listen_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    if (fd < 0 || strlen(path) >= sizeof address.sun_path)
        exit(EXIT_FAILURE);
    memcpy(address.sun_path, path, strlen(path));
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 1024) != 0)
        exit(EXIT_FAILURE);
    return fd;
}

/* Starts a daemon on the port (0: on any), or at the path of argv[4], and fills in what its
 * loop needs. Returns the port. */
static uint16_t start(struct floor_server *server, char *argv[], uint16_t port)
{
    struct sockaddr_in loopback = {.sin_family = AF_INET,
                                   .sin_port = htons(port),
                                   .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct MHD_OptionItem at_path[] = {
        {MHD_OPTION_LISTEN_SOCKET,
         argv[3] && argv[4] && *argv[4] ? listen_at(argv[4]) : MHD_INVALID_SOCKET, NULL},
        {MHD_OPTION_END, 0, NULL}};

    server->response = ready_made(argv);
    uv_loop_init(&server->loop);
    uv_timer_init(&server->loop, &server->timer);
    server->timer.data = server;
    server->daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_TURBO, 0, NULL, NULL, answer, server, MHD_OPTION_SOCK_ADDR,
        &loopback, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1U, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        (size_t)16384, MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_ARRAY,
        at_path[0].value == MHD_INVALID_SOCKET ? at_path + 1 : at_path, MHD_OPTION_END);
    if (!server->daemon)
        exit(EXIT_FAILURE);
    const int size = SEND_BUFFER; /* of the sockets that it accepts */
    setsockopt(MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_LISTEN_FD)->listen_fd,
               SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    server->ready.data = server;
    uv_poll_init(&server->loop, &server->ready,
                 MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd);
    uv_poll_start(&server->ready, UV_READABLE, on_ready);
    return MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

static void serve(void *server)
{
    uv_run(&((struct floor_server *)server)->loop, UV_RUN_DEFAULT);
}

int main(int argc, char *argv[])
{
    static struct floor_server servers[THREADS_MAX];
    const int threads = argc >= 4 ? (int)strtol(argv[3], NULL, 10) : 1;

    if (argc < 3 || argc > 5 || threads < 1 || threads > THREADS_MAX)
        return EXIT_FAILURE;
    signal(SIGPIPE, SIG_IGN);
    uint16_t port = 0;
    for (int i = 0; i < threads; i++) {
        port = start(&servers[i], argv, port);
        if (i > 0 && uv_thread_create(&servers[i].thread, serve, &servers[i]) != 0)
            return EXIT_FAILURE;
    }
    uv_poll_t input;
    uv_poll_init(&servers[0].loop, &input, STDIN_FILENO);
    uv_poll_start(&input, UV_READABLE, on_input);
    printf("%u\n", port);
    fflush(stdout);
    serve(&servers[0]);
    return EXIT_SUCCESS; /* which ends the other threads */
}
