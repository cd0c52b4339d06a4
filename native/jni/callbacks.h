/*
 * Tickets: the arguments of a SISCI library's callbacks. When a vendor's library has removed an object, one of its callbacks
 * may still be on its way. So a callback's argument is no address but a ticket. Each ticket is given out once, and a
 * returned one leads to no object. Each call takes the same time however many tickets there are. Any thread may call.
 */
#ifndef JFS_CALLBACKS_H
#define JFS_CALLBACKS_H

/* Gives out a ticket for an object; NULL if there is no memory. */
void *callbacks_ticket(void *object);

/*
 * Takes a ticket back. The call returns when no callback uses the ticket's object; afterwards no callback finds it.
 * Idempotent; NULL is ignored.
 */
void callbacks_return(void *ticket);

/*
 * A callback uses objects only between these two calls. callbacks_return waits meanwhile, so the callback must not block.
 */
void callbacks_enter(void);
void callbacks_leave(void);

/* Between these two calls: the ticket's object; NULL if the ticket was returned, or is NULL. */
void *callbacks_object(void *ticket);

#endif
