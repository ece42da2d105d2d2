// SPDX-License-Identifier: Apache-2.0

import CMeasure
import Foundation
import LaunchProfiler
import LaunchTelemetry

// `MakeSlices COUNT FILE`: the recorder writes a trace of COUNT intervals. One in sixteen has a message. They are on
// four threads, nested five deep, with sixty-four names, like the launch of a large program.

let signposter = LaunchSignposter(subsystem: "org.example.bench", category: "work")
let names: [StaticString] = [
  "configuration", "database", "cache", "network", "localization", "fonts", "theme", "session", "account", "analytics",
  "preferences", "migration", "index", "routes", "templates", "plugins", "window", "menu", "toolbar", "sidebar",
  "document", "history", "search", "spelling", "printing", "sharing", "sync", "backup", "keychain", "certificates",
  "locale", "calendar", "contacts", "mail", "notes", "photos", "music", "maps", "weather", "stocks", "news", "books",
  "podcasts", "health", "wallet", "home", "shortcuts", "files", "camera", "clock", "timer", "alarm", "sensors",
  "location", "motion", "audio", "video", "codec", "shader", "texture", "mesh", "scene", "layout", "render",
]

/// Records at most `budget` intervals, as a tree in which each has up to four children.
func tree(_ signposter: LaunchSignposter, _ depth: Int, _ budget: inout Int, _ names: [StaticString]) {
  if budget == 0 { return }
  budget -= 1
  let name = names[budget & 63]
  if budget & 15 == 0 {
    signposter.withIntervalSignpost(name, "step \(budget)") { children(signposter, depth, &budget, names) }
  } else {
    signposter.withIntervalSignpost(name) { children(signposter, depth, &budget, names) }
  }
}

func children(_ signposter: LaunchSignposter, _ depth: Int, _ budget: inout Int, _ names: [StaticString]) {
  cm_keep(UInt64(budget))
  guard depth > 0 else { return }
  for _ in 0..<4 { tree(signposter, depth - 1, &budget, names) }
}

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("MakeSlices: \(message)\n".utf8))
  exit(1)
}

guard CommandLine.arguments.count == 3, let count = Int(CommandLine.arguments[1]), count >= 0 else {
  fail("usage: MakeSlices COUNT FILE")
}
do { try LaunchProfiler.start(into: .file(CommandLine.arguments[2]), limit: 4 << 30) } catch { fail("\(error)") }

let workers = DispatchGroup()
let (recorder, work) = (signposter, names)
for worker in 0..<3 {
  workers.enter()
  Thread.detachNewThread {
    Thread.current.name = "worker \(worker)"
    var budget = count / 4
    while budget > 0 { tree(recorder, 4, &budget, work) }
    workers.leave()
  }
}
var budget = count - count / 4 * 3
while budget > 0 { tree(recorder, 4, &budget, work) }
workers.wait()
LaunchProfiler.mark(.ready)
if let dropped = LaunchProfiler.summary?.eventsDropped, dropped > 0 { fail("\(dropped) events did not fit") }
