// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// Suites that launch programs from this process. They run one after the other, because signal dispositions belong to
/// the process.
@Suite(.serialized) enum InProcessLaunchTests {}

/// Launched programs get the mask of the launching thread; the threads that run tests block nearly all signals.
func withoutMask<Result>(_ body: () throws -> Result) rethrows -> Result {
  var (none, former) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, &former)
  defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
  return try body()
}
