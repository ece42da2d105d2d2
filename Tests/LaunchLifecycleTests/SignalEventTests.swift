// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LaunchLifecycle

struct SignalEventTests {
  /// The handler is not Swift code, because a signal may arrive on any thread at any time.
  @MainActor @Test func aSignalOnAnotherThreadArrives() throws {
    let events = SignalEvents([SIGUSR2])
    defer { events.end() }
    var thread = pthread_t()
    #expect(
      pthread_create(
        &thread, nil,
        { @Sendable _ in
          var only = sigset_t()
          sigemptyset(&only)
          sigaddset(&only, SIGUSR2)
          pthread_sigmask(SIG_UNBLOCK, &only, nil)
          pthread_kill(pthread_self(), SIGUSR2)
          return nil
        }, nil) == 0)
    pthread_join(thread, nil)
    #expect(events.arrived() == [SIGUSR2])
    #expect(events.arrived().isEmpty)
  }

  @MainActor @Test func whatIsIgnoredStaysIgnored() {
    signal(SIGURG, SIG_IGN)
    defer { signal(SIGURG, SIG_DFL) }
    let events = SignalEvents([SIGURG])
    raise(SIGURG)
    #expect(events.arrived().isEmpty)
    events.end()
  }

  @MainActor @Test func whatWasThereComesBack() {
    SignalEvents([SIGWINCH]).end()
    var action = sigaction()
    sigaction(SIGWINCH, nil, &action)
    #expect(unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 0)
  }
}
