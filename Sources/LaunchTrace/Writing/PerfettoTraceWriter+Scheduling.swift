/// A CPU passes from one thread to another; thread 0 stands for any that is not of the trace.
package struct SchedulingSwitch: Sendable, Equatable {
  /// CLOCK_BOOTTIME, ns: ftrace's clock.
  package var time: Int64
  package var previous: Int32
  /// Why the previous one left the CPU, as the kernel has it: 0 it could have run on, 1 sleeping, 2 uninterruptible, 16
  /// it ended.
  package var previousState: Int64
  package var next: Int32

  package init(time: Int64, previous: Int32, previousState: Int64, next: Int32) {
    self.time = time
    self.previous = previous
    self.previousState = previousState
    self.next = next
  }
}

extension PerfettoTraceWriter {
  /// Adds what one CPU ran (`ftrace_events` with `sched_switch`), in the order of time.
  ///
  /// - Parameter names: of threads.
  package mutating func switches(
    sequence: UInt32, processor: UInt32, _ switches: some Collection<SchedulingSwitch>, names: [Int32: String]
  ) {
    func name(_ thread: Int32) -> String { thread == 0 ? "swapper" : names[thread] ?? "" }
    // Some thousand events a packet, as tracers write them.
    var rest = switches[...]
    while !rest.isEmpty {
      let part = rest.prefix(2048)
      rest = rest.dropFirst(2048)
      packets.message(1) { packet in
        packet.varint(10, UInt64(sequence))
        packet.message(1) { bundle in
          bundle.varint(1, UInt64(processor))
          for event in part { Self.write(event, name, to: &bundle) }
        }
      }
    }
  }

  private static func write(_ event: SchedulingSwitch, _ name: (Int32) -> String, to bundle: inout ProtobufWriter) {
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
