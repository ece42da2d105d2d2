// SPDX-License-Identifier: Apache-2.0

#ifndef CLTTNG_PEER_H
#define CLTTNG_PEER_H
#include <stdint.h>
/// One begin and one end event of LTTng-UST, each with one 32-bit field.
void lttng_peer_begin(uint32_t name);
void lttng_peer_end(uint32_t name);
#endif
