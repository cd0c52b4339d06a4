/* Tickets: each leads to its object until it is returned, and to none afterwards, even when its slot was given out again. */
#include "callbacks.h"
#include "processes.h"

enum { MANY = 1000 };

static int objects[MANY];

static void *object_of(void *ticket)
{
    callbacks_enter();
    void *object = callbacks_object(ticket);
    callbacks_leave();
    return object;
}

static void test_no_ticket(void)
{
    CHECK(object_of(NULL) == NULL);
    callbacks_return(NULL);
}

static void test_a_returned_ticket(void)
{
    void *first = callbacks_ticket(&objects[0]);
    CHECK(object_of(first) == &objects[0]);
    callbacks_return(first);
    CHECK(object_of(first) == NULL);
    void *second = callbacks_ticket(&objects[1]);
    CHECK(second != first);
    callbacks_return(first); /* as when a removal is tried again */
    CHECK(object_of(first) == NULL);
    CHECK(object_of(second) == &objects[1]);
    callbacks_return(second);
}

/* More tickets than the table has slots for at first. Every third one is returned, and its slot given out again. */
static void test_many(void)
{
    static void *tickets[MANY], *former[MANY];
    for (int i = 0; i < MANY; i++)
        CHECK((tickets[i] = callbacks_ticket(&objects[i])) != NULL);
    for (int i = 0; i < MANY; i += 3) {
        callbacks_return(tickets[i]);
        former[i] = tickets[i];
    }
    for (int i = 0; i < MANY; i += 3)
        CHECK((tickets[i] = callbacks_ticket(&objects[i])) != NULL);
    for (int i = 0; i < MANY; i++) {
        CHECK(object_of(tickets[i]) == &objects[i]);
        CHECK(object_of(former[i]) == NULL);
    }
    for (int i = 0; i < MANY; i++)
        callbacks_return(tickets[i]);
}

int main(void)
{
    test_no_ticket();
    test_a_returned_ticket();
    test_many();
    return 0;
}
