// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LaunchObserver

/// What processes and threads are called.
struct ProcessHistoryTests {
  private func place(_ time: Int64, _ process: Int32, thread: Int32? = nil) -> PerfEvents.Occurrence {
    PerfEvents.Occurrence(time: time, processID: process, threadID: thread ?? process)
  }

  private func start(_ process: Int32, of parent: Int32, at time: Int64) -> PerfEvents.Thread {
    PerfEvents.Thread(place: place(time, process), parentProcessID: parent, isEnd: false)
  }

  private func name(_ process: Int32, _ name: String, at time: Int64) -> PerfEvents.Name {
    PerfEvents.Name(place: place(time, process), isExec: true, name: name)
  }

  @Test func aNewProcessHasTheNameItsParentHadThen() {
    var events = PerfEvents(PerfLog())
    events.threads = [
      start(7, of: 1, at: 0), start(8, of: 7, at: 20), start(9, of: 8, at: 30), start(10, of: 7, at: 60),
    ]
    events.names = [name(7, "bash", at: 10), name(9, "sleep", at: 40), name(7, "sha256sum", at: 50)]
    let names = ProcessHistory(events).names
    #expect(names == [7: "sha256sum", 8: "bash", 9: "sleep", 10: "sha256sum"])
  }

  @Test func aNewThreadHasTheNameOfItsProcess() {
    var events = PerfEvents(PerfLog())
    events.threads = [
      start(7, of: 1, at: 0),
      PerfEvents.Thread(place: place(20, 7, thread: 8), parentProcessID: 7, isEnd: false),
    ]
    events.names = [name(7, "notes", at: 10)]
    #expect(ProcessHistory(events).names == [7: "notes", 8: "notes"])
  }

  /// The number of an ended process may be used again.
  @Test func aNewProcessDoesNotKeepTheNameOfAnEndedOne() {
    var events = PerfEvents(PerfLog())
    events.threads = [start(7, of: 1, at: 0), start(8, of: 7, at: 20), start(8, of: 7, at: 60)]
    events.names = [name(7, "bash", at: 10), name(8, "sleep", at: 30)]
    #expect(ProcessHistory(events).names[8] == "bash")
  }

  /// A child that executes no program keeps the memory that its parent had when it was forked.
  @Test func aChildHasWhatItsParentHadInMemoryThen() {
    var events = PerfEvents(PerfLog())
    events.threads = [start(7, of: 1, at: 0), start(8, of: 7, at: 50)]
    events.names = [name(7, "sh", at: 10), name(7, "sleep", at: 100)]
    events.mappings = [(0x1000, 20), (0x9000, 110)].map { address, time in
      PerfEvents.Mapping(
        place: place(time, 7), address: address, length: 0x1000, offset: 0, path: "/bin/x", protection: 5)
    }
    let history = ProcessHistory(events)
    #expect(history.code(of: 8, at: 0x1010, time: 200)?.place.time == 20)
    #expect(history.code(of: 8, at: 0x9010, time: 200) == nil)
    #expect(history.code(of: 7, at: 0x9010, time: 200)?.place.time == 110)
  }
}
