// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import LaunchLifecycle

@MainActor struct EventLoopTests {
  /// A pipe that is readable.
  private func readable() throws -> Int32 {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    #expect(write(ends[1], "x", 1) == 1)
    close(ends[1])
    return ends[0]
  }

  /// A program that ended in a callback of its launch waited forever, and no signal ended it.
  @Test func aLoopThatWasStoppedBeforeItRunsDoesNotWait() {
    let loop = EventLoop()
    var turns = 0
    loop.perform { turns += 1 }
    loop.stop()
    loop.run()
    #expect(turns == 1)
    // The next one waits again until it is stopped.
    loop.perform {
      loop.perform {
        loop.perform {
          turns += 1
          loop.stop()
        }
      }
    }
    loop.run()
    #expect(turns == 2)
  }

  /// A program may close descriptors that it does not know (closefrom(3)). Such a descriptor is ready in every turn.
  @Test func aClosedDescriptorIsNotHandled() throws {
    let loop = EventLoop()
    let (closed, other) = (try readable(), try readable())
    defer { close(other) }
    close(closed)
    var handled: [Int32] = []
    loop.whenReadable(closed) { handled.append(closed) }
    loop.whenReadable(other) {
      handled.append(other)
      loop.stop()
    }
    loop.run()
    #expect(handled == [other])
  }

  /// Such a program used a whole processor: the loop asked poll(2) for the main queue again in each turn.
  @Test func aClosedMainQueueIsForgotten() throws {
    let other = try readable()
    defer { close(other) }
    var asked = 0
    let loop = EventLoop(mainQueue: {
      asked += 1
      // No file has this number.
      return .max
    })
    var turns = 0
    loop.whenReadable(other) {
      turns += 1
      if turns == 3 { loop.stop() }
    }
    loop.run()
    #expect(turns == 3 && asked == 1)
  }

  /// For example, one connection ends another one: its descriptor may be closed by then, or be another file's.
  @Test func aForgottenDescriptorIsNotHandled() throws {
    let loop = EventLoop()
    let descriptors = try [readable(), readable()]
    defer { for descriptor in descriptors { close(descriptor) } }
    var handled: [Int32] = []
    for (own, other) in [(descriptors[0], descriptors[1]), (descriptors[1], descriptors[0])] {
      loop.whenReadable(own) {
        handled.append(own)
        loop.forget(own)
        loop.forget(other)
        loop.stop()
      }
    }
    loop.run()
    #expect(handled == [descriptors[0]])
  }

  /// A view that draws an animation asks for the next turn in each turn. No key and no signal reached such a program.
  @Test func workOfEachTurnDoesNotKeepTheLoopFromItsDescriptors() throws {
    let loop = EventLoop()
    let descriptor = try readable()
    defer { close(descriptor) }
    var turns = 0
    func draw() {
      turns += 1
      // Without the descriptor, the loop would run for ever.
      if turns < 1000 { loop.perform(draw) }
    }
    loop.perform(draw)
    loop.whenReadable(descriptor) {
      loop.forget(descriptor)
      loop.stop()
    }
    loop.run()
    #expect(turns == 2)
  }
}
