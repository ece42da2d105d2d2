// SPDX-License-Identifier: Apache-2.0

#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "launchbench_tp.h"

#include "CLTTngPeer.h"

void lttng_peer_begin(uint32_t name) { lttng_ust_tracepoint(launchbench, begin, name); }
void lttng_peer_end(uint32_t name) { lttng_ust_tracepoint(launchbench, end, name); }
