/*
 * What a SISCI library's callbacks are for. Nothing says that none is on its way any more when a vendor's library has
 * removed what it was for. So a callback's argument is no address but a ticket: each is given out once, and one that was
 * taken back leads nowhere. All calls take the same time however many tickets there are.
 */
#ifndef JFS_CALLBACKS_H
#define JFS_CALLBACKS_H

/* A ticket for an object. NULL: there is no memory. By any thread, as all here. */
void *callbacks_ticket(void *object);

/* Returns when no callback uses the ticket's object; afterwards none finds it. Idempotent; NULL is no ticket. */
void callbacks_return(void *ticket);

/*
 * In a callback: begins to use objects. Between the two none of their tickets is returned, so what the callback does with
 * them must not block.
 */
void callbacks_enter(void);
void callbacks_leave(void);

/* In between: the ticket's object; NULL if the ticket was returned, or is NULL. */
void *callbacks_object(void *ticket);

#endif
