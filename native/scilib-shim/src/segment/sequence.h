/* Sequences. Callers hold the library's lock. */
#ifndef SHIM_SEQUENCE_H
#define SHIM_SEQUENCE_H

/* Destroys and frees a sequence, and its map if that is unmapped and has no other sequence. */
void sequence_destroy(void *sequence);

#endif
