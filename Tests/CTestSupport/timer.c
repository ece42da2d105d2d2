// SPDX-License-Identifier: Apache-2.0

#include "CTestSupport.h"

#include <errno.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

int ct_make_timer(long seconds, int *timer, int *events) {
  *timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  *events = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  struct itimerspec value = {.it_value = {.tv_sec = seconds}};
  return *timer < 0 || *events < 0 || epoll_ctl(*events, EPOLL_CTL_ADD, *timer, &event) != 0
      || timerfd_settime(*timer, 0, &value, NULL) != 0 ? errno : 0;
}
