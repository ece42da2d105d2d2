// SPDX-License-Identifier: Apache-2.0

/// A CPU switches from one thread to another. Thread 0 means any thread outside the trace.
package struct SchedulingSwitch: Sendable, Equatable {
  /// CLOCK_BOOTTIME, ns, which is ftrace's clock.
  package var time: Int64
  package var previous: Int32
  /// Why the previous thread left the CPU, in the kernel's numbers: 0 still runnable, 1 sleeping, 2 uninterruptible,
  /// 16 ended.
  package var previousState: Int64
  package var next: Int32

  package init(time: Int64, previous: Int32, previousState: Int64, next: Int32) {
    self.time = time
    self.previous = previous
    self.previousState = previousState
    self.next = next
  }
}

/// A thread makes another one ready to run.
package struct SchedulingWaking: Sendable, Equatable {
  /// CLOCK_BOOTTIME, ns.
  package var time: Int64
  package var thread: Int32
  /// 0 for an interrupt.
  package var waker: Int32

  package init(time: Int64, thread: Int32, waker: Int32) {
    self.time = time
    self.thread = thread
    self.waker = waker
  }
}

extension PerfettoTraceWriter {
  /// Adds the threads that one CPU ran (`ftrace_events` with `sched_switch`), in the order of time.
  ///
  /// - Parameter names: the names of threads.
  package mutating func switches(
    sequence: UInt32, processor: UInt32, _ switches: some Collection<SchedulingSwitch>, names: [Int32: String]
  ) {
    func name(_ thread: Int32) -> String { thread == 0 ? "swapper" : names[thread] ?? "" }
    bundles(sequence: sequence, processor: processor, switches) { event, bundle in
      bundle.message(2) { ftrace in
        ftrace.signed(1, event.time)
        ftrace.varint(2, UInt64(UInt32(bitPattern: event.previous)))
        ftrace.message(4) { change in
          change.string(1, name(event.previous))
          change.signed(2, Int64(event.previous))
          change.signed(3, 120)
          change.signed(4, event.previousState)
          change.string(5, name(event.next))
          change.signed(6, Int64(event.next))
          change.signed(7, 120)
        }
      }
    }
  }

  /// Adds the threads that were made ready on one CPU (`ftrace_events` with `sched_waking`), in the order of time.
  ///
  /// - Parameter names: the names of threads.
  package mutating func wakings(
    sequence: UInt32, processor: UInt32, _ wakings: some Collection<SchedulingWaking>, names: [Int32: String]
  ) {
    bundles(sequence: sequence, processor: processor, wakings) { waking, bundle in
      bundle.message(2) { ftrace in
        ftrace.signed(1, waking.time)
        ftrace.varint(2, UInt64(UInt32(bitPattern: waking.waker)))
        ftrace.message(20) {
          $0.string(1, names[waking.thread] ?? "")
          $0.signed(2, Int64(waking.thread))
          $0.signed(3, 120)
          $0.signed(4, 1)
        }
      }
    }
  }

  /// Some thousand events in each packet, as other tracers write them.
  private mutating func bundles<Event>(
    sequence: UInt32, processor: UInt32, _ events: some Collection<Event>,
    _ write: (Event, inout ProtobufWriter) -> Void
  ) {
    var rest = events[...]
    while !rest.isEmpty {
      let part = rest.prefix(2048)
      rest = rest.dropFirst(2048)
      packets.message(1) { packet in
        packet.varint(10, UInt64(sequence))
        packet.message(1) { bundle in
          bundle.varint(1, UInt64(processor))
          for event in part { write(event, &bundle) }
        }
      }
    }
  }
}
