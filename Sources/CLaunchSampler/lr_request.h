// How a thread is asked for its stack.
#ifndef LR_REQUEST_H
#define LR_REQUEST_H

#include "include/lr_snapshot.h"

/// Installs the handler. Returns 0 or an errno: EBUSY when the signal has one.
int lr_request_install(int signal);
/// Asks a thread for its stack, once, by a signal that the handler is installed for. False when it is gone.
bool lr_request_send(int32_t thread, int signal);
/// Asks a thread for its stack every `period` ns of its CPU time, until another one or none (0) is asked. False when it
/// cannot be.
bool lr_request_every(int32_t thread, int signal, uint64_t period);
/// A stack that came, or NULL. It stays until the next request.
const lr_snapshot *lr_request_answer(void);
/// True while a thread that was asked has not answered, and which one.
bool lr_request_is_open(void);
int32_t lr_request_thread(void);
/// Nobody is to answer any more.
void lr_request_withdraw(void);
/// ns that the handler took: the longest time and all.
uint64_t lr_request_longest(void);
uint64_t lr_request_time(void);

#endif
