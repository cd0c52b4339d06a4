/*
 * What the MX shim offers beside the MX interface. Found by dlsym, so that the vendor's library, which lacks it, can
 * take the shim's place.
 */
#ifndef MX_SHIM_H
#define MX_SHIM_H

#ifdef __cplusplus
extern "C" {
#endif

#define MX_SHIM_REASON_BYTES 256

/*
 * Asks whether this machine and this build can carry MX messages. Any thread; never touches the network.
 *
 * reason   MX_SHIM_REASON_BYTES bytes of the caller's; receives one line, always terminated, when the answer is no
 * returns  0 for yes, -1 for no
 */
int mx_shim_probe(char *reason);

#ifdef __cplusplus
}
#endif
#endif
