/* SPDX-License-Identifier: Apache-2.0
 * task_lane.c - see task_lane.h. A peer has a place while a task of it waits or runs. Its turn
 * is the number of the last thread that it was given; the peer with the lowest turn is next. A
 * peer that comes gets a turn right before the last that was given: it is next unless others
 * have waited longer. */
#include "server/sys/task_lane.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <uv.h>

struct lane_peer {
    uint64_t peer, turn, came;           /* of equal turns the peer that came first is next */
    size_t count, running;               /* tasks that wait, and that run; one at least */
    struct task_lane_task *tasks, *last; /* the cheapest first */
};

struct task_lane {
    uv_mutex_t lock;
    uv_cond_t more; /* a task waits, or the lane ends */
    bool ended;
    struct task_lane_size size;
    size_t waiting;
    uint64_t turn;           /* the last one given; peers that come have odd turns */
    uint64_t came;           /* peers that have come so far */
    uint64_t added;          /* tasks that were added so far */
    struct lane_peer *peers; /* with space for those of all tasks that may wait or run */
    size_t peer_count, thread_count;
    uv_thread_t threads[];
};

/* ---- peers ----------------------------------------------------------------------------- */

/* Returns the place of a peer; NULL: it has none. */
static struct lane_peer *find_peer(struct task_lane *lane, uint64_t peer)
{
    for (size_t i = 0; i < lane->peer_count; i++)
        if (lane->peers[i].peer == peer)
            return &lane->peers[i];
    return NULL;
}

static struct lane_peer *add_peer(struct task_lane *lane, uint64_t peer)
{
    struct lane_peer *place = &lane->peers[lane->peer_count++];

    assert(lane->peer_count <= lane->size.most + lane->size.threads);
    *place = (struct lane_peer){.peer = peer, .turn = lane->turn - 1, .came = ++lane->came};
    return place;
}

/* A peer without tasks has no place: the last peer takes it. */
static void drop_if_idle(struct task_lane *lane, struct lane_peer *peer)
{
    if (peer->count == 0 && peer->running == 0)
        *peer = lane->peers[--lane->peer_count];
}

static bool is_before(const struct lane_peer *peer, const struct lane_peer *other)
{
    return peer->turn != other->turn ? peer->turn < other->turn : peer->came < other->came;
}

/* Returns the peer whose turn is next. */
static struct lane_peer *next_peer(struct task_lane *lane)
{
    struct lane_peer *next = NULL;

    for (size_t i = 0; i < lane->peer_count; i++)
        if (lane->peers[i].count > 0 && (!next || is_before(&lane->peers[i], next)))
            next = &lane->peers[i];
    return next;
}

static enum task_lane_result try(const struct task_lane *lane, const struct lane_peer *peer)
{
    const size_t left = lane->size.most - lane->waiting, count = peer ? peer->count : 0;

    if (left == 0)
        return TASK_LANE_FULL;
    return count < left && count < lane->size.peer_most ? TASK_LANE_ADDED : TASK_LANE_PEER_FULL;
}

/* Inserts the task behind tasks of the same cost. */
static void insert(struct lane_peer *peer, struct task_lane_task *task)
{
    const bool dearest = peer->tasks && peer->last->operations <= task->operations;
    struct task_lane_task **at = dearest ? &peer->last->next : &peer->tasks;

    while (*at && (*at)->operations <= task->operations)
        at = &(*at)->next;
    task->next = *at;
    *at = task;
    if (!task->next)
        peer->last = task;
    peer->count++;
}

/* Removes the task, if it is there. */
static bool cut(struct lane_peer *peer, const struct task_lane_task *task)
{
    struct task_lane_task **at = &peer->tasks, *before = NULL;

    while (*at && *at != task) {
        before = *at;
        at = &before->next;
    }
    if (!*at)
        return false;
    *at = task->next;
    if (peer->last == task)
        peer->last = before;
    peer->count--;
    return true;
}

/* ---- threads --------------------------------------------------------------------------- */

/* Returns the task of the peer that begins next: the cheapest, or the oldest if it was
 * overtaken often enough. */
static struct task_lane_task *choose(const struct lane_peer *peer)
{
    struct task_lane_task *oldest = peer->tasks;

    if (oldest->operations == peer->last->operations)
        return oldest; /* all cost the same */
    for (struct task_lane_task *task = peer->tasks; task; task = task->next)
        if (task->order < oldest->order)
            oldest = task;
    if (oldest == peer->tasks || oldest->overtaken >= TASK_LANE_OVERTAKES)
        return oldest;
    oldest->overtaken++;
    return peer->tasks;
}

/* Gives the thread to a task that waits. */
static struct task_lane_task *begin_next(struct task_lane *lane)
{
    struct lane_peer *peer = next_peer(lane);
    struct task_lane_task *task = choose(peer);

    (void)cut(peer, task);
    lane->waiting--;
    lane->turn += 2;
    peer->turn = lane->turn;
    peer->running++;
    atomic_store_explicit(&task->begun, true, memory_order_relaxed);
    return task;
}

/* The home may be freed once its thread has taken the task, which needs the lock. */
static void bring_home(struct task_lane_task *task)
{
    struct task_lane_home *home = task->home;
    const bool first = !home->first;

    task->next = NULL;
    if (first)
        home->first = task;
    else
        home->last->next = task;
    home->last = task;
    if (first)
        home->wake(home);
}

static void lower_priority(int by)
{
    const int own = getpriority(PRIO_PROCESS, 0); /* on Linux 0 is the thread */

    if (by != 0)
        (void)setpriority(PRIO_PROCESS, 0, own + by);
}

static void run_tasks(void *arg)
{
    struct task_lane *lane = arg;
    struct lane_peer *peer;

    lower_priority(lane->size.lower_priority);
    uv_mutex_lock(&lane->lock);
    while (!lane->ended) {
        if (lane->waiting == 0) {
            uv_cond_wait(&lane->more, &lane->lock);
            continue;
        }
        struct task_lane_task *task = begin_next(lane);

        uv_mutex_unlock(&lane->lock);
        task->run(task);
        uv_mutex_lock(&lane->lock);
        peer = find_peer(lane, task->peer);
        peer->running--;
        drop_if_idle(lane, peer);
        bring_home(task);
    }
    uv_mutex_unlock(&lane->lock);
}

struct task_lane *task_lane_new(const struct task_lane_size *size)
{
    const size_t threads = size->threads;
    struct task_lane *lane = calloc(1, sizeof *lane + threads * sizeof *lane->threads);

    if (!lane)
        return NULL;
    lane->size = *size;
    lane->peers = calloc(size->most + threads, sizeof *lane->peers);
    if (!lane->peers) {
        free(lane);
        return NULL;
    }
    if (uv_mutex_init(&lane->lock) != 0 || uv_cond_init(&lane->more) != 0)
        abort(); /* never on Linux */
    lane->turn = 2;
    while (lane->thread_count < threads &&
           uv_thread_create(&lane->threads[lane->thread_count], run_tasks, lane) == 0)
        lane->thread_count++;
    if (lane->thread_count == threads)
        return lane;
    task_lane_free(lane);
    return NULL;
}

void task_lane_free(struct task_lane *lane)
{
    if (!lane)
        return;
    uv_mutex_lock(&lane->lock);
    assert(lane->waiting == 0);
    lane->ended = true;
    uv_cond_broadcast(&lane->more);
    uv_mutex_unlock(&lane->lock);
    for (size_t i = 0; i < lane->thread_count; i++)
        uv_thread_join(&lane->threads[i]);
    uv_cond_destroy(&lane->more);
    uv_mutex_destroy(&lane->lock);
    free(lane->peers);
    free(lane);
}

/* ---- tasks ----------------------------------------------------------------------------- */

enum task_lane_result task_lane_add(struct task_lane *lane, struct task_lane_task *task)
{
    uv_mutex_lock(&lane->lock);
    struct lane_peer *peer = find_peer(lane, task->peer);
    const enum task_lane_result result = try(lane, peer);

    atomic_init(&task->begun, false);
    if (result == TASK_LANE_ADDED) {
        task->order = lane->added++;
        task->overtaken = 0;
        insert(peer ? peer : add_peer(lane, task->peer), task);
        lane->waiting++;
        uv_cond_signal(&lane->more);
    }
    uv_mutex_unlock(&lane->lock);
    return result;
}

enum task_lane_result task_lane_try(struct task_lane *lane, uint64_t peer)
{
    uv_mutex_lock(&lane->lock);
    const enum task_lane_result result = try(lane, find_peer(lane, peer));

    uv_mutex_unlock(&lane->lock);
    return result;
}

bool task_lane_peer_has_most(struct task_lane *lane, uint64_t peer)
{
    uv_mutex_lock(&lane->lock);
    const struct lane_peer *place = find_peer(lane, peer);
    const bool full = place && place->count >= lane->size.peer_most;

    uv_mutex_unlock(&lane->lock);
    return full;
}

/* Returns how many tasks of the peer (NULL: none) begin before one of that cost that comes now,
 * or before that task if it is one of them. */
static size_t tasks_before(const struct lane_peer *peer, const struct task_lane_task *task)
{
    size_t before = 0;

    for (const struct task_lane_task *at = peer ? peer->tasks : NULL;
         at && at != task && at->operations <= task->operations; at = at->next)
        before++;
    return before;
}

/* Returns the task that makes it, and its peer's place. NULL: none waits. */
static struct task_lane_task *find_maker(struct task_lane *lane, const void *makes,
                                         struct lane_peer **peer)
{
    for (size_t i = 0; i < lane->peer_count; i++)
        for (struct task_lane_task *task = lane->peers[i].tasks; task; task = task->next)
            if (task->makes == makes) {
                *peer = &lane->peers[i];
                return task;
            }
    return NULL;
}

static bool hasten(struct task_lane *lane, const void *makes, uint64_t to)
{
    struct lane_peer *from, *peer = find_peer(lane, to);
    struct task_lane_task *task = find_maker(lane, makes, &from);

    if (!task || from == peer || tasks_before(peer, task) >= tasks_before(from, task))
        return false;
    (void)cut(from, task);
    drop_if_idle(lane, from);
    task->peer = to;
    peer = find_peer(lane, to); /* the places may have moved */
    insert(peer ? peer : add_peer(lane, to), task);
    return true;
}

bool task_lane_hasten(struct task_lane *lane, const void *makes, uint64_t peer)
{
    uv_mutex_lock(&lane->lock);
    const bool moved = hasten(lane, makes, peer);

    uv_mutex_unlock(&lane->lock);
    return moved;
}

bool task_lane_remove(struct task_lane *lane, struct task_lane_task *task)
{
    uv_mutex_lock(&lane->lock);
    struct lane_peer *peer = find_peer(lane, task->peer);
    const bool removed = peer && cut(peer, task);

    lane->waiting -= removed;
    if (removed)
        drop_if_idle(lane, peer);
    uv_mutex_unlock(&lane->lock);
    return removed;
}

struct task_lane_task *task_lane_take(struct task_lane *lane, struct task_lane_home *home)
{
    uv_mutex_lock(&lane->lock);
    struct task_lane_task *first = home->first;

    home->first = home->last = NULL;
    uv_mutex_unlock(&lane->lock);
    return first;
}

size_t task_lane_threads(const struct task_lane *lane)
{
    return lane->thread_count;
}
