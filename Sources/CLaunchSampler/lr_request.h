// SPDX-License-Identifier: Apache-2.0

// How a thread is asked for its stack.
#ifndef LR_REQUEST_H
#define LR_REQUEST_H

#include "include/lr_snapshot.h"

/// Installs the handler. Returns 0 or an errno; EBUSY: the signal has another handler.
int lr_request_install(int signal);
/// Asks a thread once for its stack, by a signal that has the handler. False if the thread has ended.
bool lr_request_send(int32_t thread, int signal);
/// Asks a thread for its stack every `period` ns of its CPU time, until another thread or none (0) is asked. False if
/// that is not possible.
bool lr_request_every(int32_t thread, int signal, uint64_t period);
/// The stack that came, or NULL. Valid until the next request.
const lr_snapshot *lr_request_answer(void);
/// True while the asked thread has not answered; also says which thread.
bool lr_request_is_open(void);
int32_t lr_request_thread(void);
/// Withdraws the request: no thread answers it any more.
void lr_request_withdraw(void);
/// ns that the handler took: the longest time, and the sum.
uint64_t lr_request_longest(void);
uint64_t lr_request_time(void);

#endif
