/*
 * Two processes wake each other up by interrupts.
 *
 * The client removes its interrupt when it is done. The server then can't trigger it any more, and ends, too.
 */
#include "example.h"

#include <stdio.h>

struct game {
    sci_local_interrupt_t own;
    sci_remote_interrupt_t other;
};

static void await(struct game *game)
{
    sci_error_t error;
    SCIWaitForInterrupt(game->own, PATIENCE, NO_FLAGS, &error);
    must(error, "SCIWaitForInterrupt");
}

static void bounce(void *context, unsigned long count)
{
    struct game *game = context;
    sci_error_t error;
    for (unsigned long i = 0; i < count; i++) {
        SCITriggerInterrupt(game->other, NO_FLAGS, &error);
        must(error, "SCITriggerInterrupt");
        await(game);
    }
}

static void remove_own(struct game *game)
{
    sci_error_t error;
    SCIRemoveInterrupt(game->own, NO_FLAGS, &error);
    must(error, "SCIRemoveInterrupt");
}

static void play_client(struct game *game, double seconds)
{
    sci_error_t error;
    double one_way = measure(bounce, game, seconds) / 2;
    remove_own(game);
    SCITriggerInterrupt(game->other, NO_FLAGS, &error);
    must(error, "SCITriggerInterrupt");
    printf("interrupt_pingpong: %.4f us one way\n", one_way * 1e6);
}

static void play_server(struct game *game)
{
    sci_error_t error;
    do {
        await(game);
        SCITriggerInterrupt(game->other, NO_FLAGS, &error);
    } while (error == SCI_ERR_OK);
    if (error != SCI_ERR_NOT_CONNECTED)
        must(error, "SCITriggerInterrupt");
    remove_own(game);
}

int main(int count, char **arguments)
{
    struct options options = options_of(count, arguments, 8);
    sci_desc_t device = start(&options);
    unsigned int own_number = options.base + options.server, other_number = options.base + !options.server;
    struct game game;
    sci_error_t error;

    SCICreateInterrupt(device, &game.own, options.adapter, &own_number, NULL, NULL, SCI_FLAG_FIXED_INTNO, &error);
    must(error, "SCICreateInterrupt");
    double begun = milliseconds();
    do
        SCIConnectInterrupt(device, &game.other, options.remote_node, options.adapter, other_number, PATIENCE, NO_FLAGS,
                            &error);
    while (is_not_there_yet(error, begun));
    must(error, "SCIConnectInterrupt");

    if (options.server)
        play_server(&game);
    else
        play_client(&game, options.seconds);

    SCIDisconnectInterrupt(game.other, NO_FLAGS, &error);
    must(error, "SCIDisconnectInterrupt");
    finish(device);
    return 0;
}
