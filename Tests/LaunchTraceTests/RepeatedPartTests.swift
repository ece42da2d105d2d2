// SPDX-License-Identifier: Apache-2.0

import LaunchTrace
import Testing

/// Small parts of a file that many others repeat: what is read stays small, too.
@Suite struct RepeatedPartTests {
  /// Packets of one sequence, whose interned data are in the first one.
  private func sequence(
    interned: (inout ProtobufWriter) -> Void, events: Int, event: (Int, inout ProtobufWriter) -> Void,
    describing: (inout ProtobufWriter) -> Void = { _ in }
  ) throws -> Trace {
    var packets = PerfettoTraceWriter()
    packets.clockSnapshot([(3, 1)])
    packets.threadTrack(uuid: 1, processID: 1, threadID: 1)
    packets.startSequence(1, track: 1)
    var more = ProtobufWriter()
    describing(&more)
    more.message(1) { packet in
      packet.varint(10, 1)
      packet.message(12, interned)
    }
    for number in 0..<events {
      more.message(1) { packet in
        packet.varint(8, 5)
        packet.varint(10, 1)
        event(number, &packet)
      }
    }
    return try Trace(reading: packets.bytes + more.bytes)
  }

  private func intern(_ field: Int, _ text: String, _ interned: inout ProtobufWriter) {
    interned.message(field) {
      $0.varint(1, 1)
      $0.string(2, text)
    }
  }

  @Test func longCategoriesAreNotRepeated() throws {
    let long = String(repeating: "c", count: 800)
    let trace = try sequence(
      interned: { intern(1, long, &$0) }, events: 3,
      event: { number, packet in
        packet.message(11) { event in
          event.varint(9, 3)
          event.varint(3, 1)
          event.string(22, "x\(number)")
          event.string(22, String(repeating: "d", count: 300))
          event.string(22, "y")
        }
      })
    let categories = trace.instants.category.map { trace.strings[StringID(rawValue: $0)] }
    #expect(categories == (0..<3).map { "\(long),x\($0),y" })
  }

  @Test func scopesOfAsyncEventsDoNotRepeatTheCategory() throws {
    let trace = try sequence(
      interned: { intern(1, "category", &$0) }, events: 6,
      event: { number, packet in
        packet.message(11) { event in
          event.varint(3, 1)
          event.string(23, "n")
          event.message(6) { legacy in
            legacy.varint(2, UInt64(UInt8(ascii: number < 3 ? "b" : "e")))
            legacy.varint(6, 1)
            legacy.string(7, "scope\(number % 3)")
          }
        }
      })
    #expect(trace.slices.duration == [0, 0, 0] && Set(trace.slices.track).count == 3)
    #expect(trace.strings.id(of: "category:scope0") == nil)
  }

  @Test func pathsOfImagesAreCut() throws {
    let interned: (inout ProtobufWriter) -> Void = { interned in
      intern(17, String(repeating: "p", count: 1_000), &interned)
      interned.message(19) { mapping in
        mapping.varint(1, 1)
        for _ in 0..<5_000 { mapping.varint(7, 1) }
      }
      interned.message(6) { frame in
        frame.varint(1, 1)
        frame.varint(3, 1)
        frame.varint(4, 5)
      }
      interned.message(7) { stack in
        stack.varint(1, 1)
        stack.varint(2, 1)
      }
    }
    let trace = try sequence(
      interned: interned, events: 1,
      event: { _, packet in
        packet.message(66) { sample in
          sample.varint(2, 1)
          sample.varint(3, 1)
          sample.varint(4, 1)
        }
      })
    #expect(trace.strings[StringID(rawValue: trace.stacks[0].image)].utf8.count == 4 * 1_001)
  }

  /// Each field of a dictionary, after another value, must not read all of its fields again.
  @Test func fieldsOfADictionaryAreReadOnce() throws {
    let trace = try sequence(
      interned: { _ in }, events: 1,
      event: { _, packet in
        packet.message(11) { event in
          event.varint(9, 3)
          event.message(4) { annotation in
            annotation.string(10, "key")
            for _ in 0..<20_000 {
              annotation.message(11) {
                $0.string(10, "inner")
                $0.varint(4, 7)
              }
              annotation.bool(2, true)
            }
            annotation.message(12) { $0.varint(4, 8) }
          }
        }
      })
    let annotations = trace.annotations[trace.instants.annotation[0]]
    #expect(annotations.map(\.value) == [.dictionary(["inner": .int(7)])])
  }

  @Test func longNamesOfCountersAreNotRepeated() throws {
    let name = String(repeating: "c", count: 2_000)
    let text =
      #"[{"ph":"C","ts":1,"pid":1,"name":"\#(name)","args":{"a":1,"b":2}},{"ph":"C","ts":1,"pid":1,"name":"c","args":{"a":1}}]"#
    let trace = try Trace(reading: Array(text.utf8))
    #expect(trace.counters.count == 1 && trace.statistics.ignored == ["counters with a very long name": 1])
  }

  @Test func namesOfManyCountersAreNotRepeated() throws {
    let members = (0..<20).map { "\"m\($0)\":1" }.joined(separator: ",")
    func text(_ size: Int) -> String {
      let name = String(repeating: "c", count: size)
      return #"[{"ph":"C","ts":1,"pid":1,"name":"\#(name)","args":{\#(members)}}]"#
    }
    #expect(try Trace(reading: Array(text(500).utf8)).counters.count == 20)
    #expect(try Trace(reading: Array(text(1_000).utf8)).statistics.ignored == ["counters with a very long name": 1])
  }

  @Test func sequencesAreBounded() throws {
    var packets = ProtobufWriter()
    for sequence in 1...UInt64(1 << 16 + 10) { packets.message(1) { $0.varint(10, sequence) } }
    packets.message(1) { packet in
      packet.varint(10, 1)
      packet.message(1_000) { $0.varint(1, 1) }
    }
    let trace = try Trace(reading: packets.bytes)
    #expect(trace.statistics.ignored == ["packets of more than 65536 sequences": 10])
    #expect(trace.statistics.skipped == ["packet field 1000": 1])
  }

  @Test func extraCountersOfAnEventAreBounded() throws {
    let counters = UInt64(100)..<2_100
    let trace = try sequence(
      interned: { _ in }, events: 1,
      event: { _, packet in
        packet.message(11) { event in
          event.varint(9, 3)
          for counter in counters { event.varint(31, counter) }
          for counter in counters { event.varint(12, counter) }
        }
      },
      describing: { packets in
        for counter in counters {
          packets.message(1) { packet in
            packet.message(60) { track in
              track.varint(1, counter)
              track.message(8) { $0.varint(3, 2) }
            }
          }
        }
      })
    #expect(trace.counters.value == (100..<1_124).map(Double.init))
  }

  /// Each look at a number must not pass the blanks around all of them again.
  @Test func blanksOfAPerfScriptLineArePassedOnce() throws {
    let blanks = String(repeating: " ", count: 50_000)
    let numbers = String(repeating: "1 ", count: 50_000)
    let sample = "app 1 5.000000: cycles:\n\t1 main (/bin/app)\n\n"
    for line in [blanks + numbers, "a " + numbers + ":" + blanks, "a " + numbers + blanks + "1"] {
      let trace = try Trace(reading: Array((sample + line + "\n" + sample).utf8))
      #expect(trace.samples.count == 2 && trace.statistics.defects == 1)
    }
    let unnamed = try Trace(reading: Array((sample + "       7 5.000000: cycles:  \n\t1 main (/bin/app)\n").utf8))
    #expect(unnamed.samples.count == 2)
  }
}
