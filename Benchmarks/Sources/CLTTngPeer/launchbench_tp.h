// SPDX-License-Identifier: Apache-2.0

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER launchbench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./launchbench_tp.h"

#if !defined(LAUNCHBENCH_TP_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define LAUNCHBENCH_TP_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(launchbench, begin, LTTNG_UST_TP_ARGS(uint32_t, name),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, name, name)))
LTTNG_UST_TRACEPOINT_EVENT(launchbench, end, LTTNG_UST_TP_ARGS(uint32_t, name),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, name, name)))

#endif

#include <lttng/tracepoint-event.h>
