// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler
import LaunchTrace
import Testing

private struct Refusal: Error, Equatable {
  let code: Int
}

struct SignpostTests {
  let signposter = Recording.signposter

  @Test func scopedIntervalsNestOnTheirThread() throws {
    let (sum, recorded) = try Recording.record {
      signposter.withIntervalSignpost("nest outer") {
        signposter.withIntervalSignpost("nest first") { 1 } + signposter.withIntervalSignpost("nest second") { 2 }
      }
    }
    #expect(sum == 3)
    let outer = try recorded.slice(named: "nest outer")
    let first = try recorded.slice(named: "nest first")
    let second = try recorded.slice(named: "nest second")
    #expect(recorded.trace.slices.parent[first] == Int32(outer))
    #expect(recorded.trace.slices.parent[second] == Int32(outer))
    #expect(recorded.track(of: outer).kind == .thread)
    #expect(recorded.category(of: outer) == "com.example.tests/recorder")
    #expect(
      recorded.trace.slices.start[second] >= recorded.trace.slices.start[first] + recorded.trace.slices.duration[first])
  }

  @Test func aThrowingBodyEndsItsIntervalAndKeepsItsType() throws {
    let (_, recorded) = try Recording.record {
      do throws(Refusal) {
        try signposter.withIntervalSignpost("throws typed") { () throws(Refusal) -> Void in throw Refusal(code: 7) }
      } catch {
        #expect(error == Refusal(code: 7))
      }
    }
    #expect(recorded.trace.slices.duration[try recorded.slice(named: "throws typed")] >= 0)
  }

  @Test func asyncWorkHasATrackOfItsOwn() async throws {
    let (_, recorded) = try await Recording.record {
      await signposter.withIntervalSignpost("async outer") {
        await Task.yield()
        await signposter.withIntervalSignpost("async inner") { await Task.yield() }
      }
    }
    let outer = try recorded.slice(named: "async outer")
    let inner = try recorded.slice(named: "async inner")
    #expect(recorded.track(of: outer).kind == .async)
    #expect(recorded.track(of: inner).kind == .async)
    #expect(recorded.trace.slices.track[outer] != recorded.trace.slices.track[inner])
    #expect(recorded.trace.slices.parent[inner] == -1)
  }

  @Test func overlappingIntervalsDoNotNest() throws {
    let (_, recorded) = try Recording.record {
      let first = signposter.beginInterval("overlap first")
      let second = signposter.beginInterval("overlap second", id: signposter.makeSignpostID(), "started \(1)")
      signposter.endInterval("overlap first", first)
      signposter.endInterval("overlap second", second, "went well")
    }
    let first = try recorded.slice(named: "overlap first")
    let second = try recorded.slice(named: "overlap second")
    #expect(recorded.trace.slices.parent[second] == -1)
    #expect(recorded.trace.slices.track[first] != recorded.trace.slices.track[second])
    #expect(recorded.annotations(of: second)["message"] != nil)
    #expect(recorded.annotations(of: second)["signpost_id"] != nil)
  }

  @Test func aSecondEndRecordsNothing() throws {
    let (_, recorded) = try Recording.record {
      let interval = signposter.beginInterval("ended twice")
      signposter.endInterval("ended twice", interval)
      let next = signposter.beginInterval("on the freed lane")
      signposter.endInterval("ended twice", interval)
      burn(.milliseconds(1))
      signposter.endInterval("on the freed lane", next)
    }
    #expect(recorded.trace.slices.duration[try recorded.slice(named: "on the freed lane")] >= 1_000_000)
  }

  @Test func anIntervalMayEndOnAnotherThread() async throws {
    let (_, recorded) = try await Recording.record {
      let interval = signposter.beginInterval("moves")
      await Task.detached { signposter.endInterval("moves", interval) }.value
    }
    #expect(recorded.trace.slices.duration[try recorded.slice(named: "moves")] >= 0)
  }

  @Test func messagesAreMadeOnlyWhenSomebodyListens() throws {
    var made = 0
    func message() -> String {
      made += 1
      return "made \(made)"
    }
    LaunchSignposter.disabled.withIntervalSignpost("disabled", message()) {}
    LaunchSignposter.disabled.emitEvent("disabled", message())
    let disabled = LaunchSignposter.disabled.beginInterval("disabled", message())
    LaunchSignposter.disabled.endInterval("disabled", disabled, message())
    #expect(made == 0)
    let (_, recorded) = try Recording.record {
      signposter.withIntervalSignpost("with message", message()) {
        signposter.emitEvent("event with message", message())
      }
    }
    #expect(made == 2)
    #expect(recorded.slices(named: "disabled").isEmpty)
    #expect(recorded.annotations(of: try recorded.slice(named: "with message"))["message"] == .string("made 1"))
    let event = try #require(recorded.instants(named: "event with message").first)
    #expect(recorded.annotations(ofInstant: event)["message"] == .string("made 2"))
  }

  @Test func signpostIdentifiersDiffer() {
    final class Object {}
    let object = Object()
    #expect(signposter.makeSignpostID() != signposter.makeSignpostID())
    #expect(signposter.makeSignpostID(from: object) == signposter.makeSignpostID(from: object))
    // No two live objects have the same address, but their hashes may be equal.
    #expect(signposter.makeSignpostID(from: object).rawValue == UInt64(UInt(bitPattern: ObjectIdentifier(object))))
  }

  @Test func oneScalarNamesAreKept() throws {
    let (_, recorded) = try Recording.record { signposter.withIntervalSignpost("ß") {} }
    _ = try recorded.slice(named: "ß")
  }
}
