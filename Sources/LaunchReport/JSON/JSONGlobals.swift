// SPDX-License-Identifier: Apache-2.0

internal import LaunchAnalysis

extension JSONWriter {
  /// The member `lazyGlobals` of a launch, if they were watched; times relative to its start.
  mutating func write(_ table: LazyGlobalTable, start: Int64) {
    guard let means = table.means else { return }
    object("lazyGlobals") { json in
      json.value("means", means.name)
      json.value("callCost", means.callCost)
      json.value("cost", table.cost)
      json.array("globals") { json in
        for global in table.globals { json.write(global, start: start) }
      }
    }
  }

  private mutating func write(_ global: LazyGlobal, start: Int64) {
    object { json in
      json.value("name", global.name)
      json.optional("module", global.module)
      json.value("image", global.image)
      json.value("owner", global.owner.rawValue)
      json.value("thread", global.thread)
      json.value("mainThread", global.isOnMainThread)
      json.value("start", global.start - start)
      json.value("duration", global.duration)
      json.value("self", global.selfTime)
      if global.isUnfinished { json.value("unfinished", true) }
      json.array("askers") { json in
        for asker in global.askers { json.value(nil, asker) }
      }
      json.array("waiters") { json in
        for waiter in global.waiters {
          json.object { json in
            json.value("thread", waiter.thread)
            json.value("mainThread", waiter.isOnMainThread)
            json.value("start", waiter.start - start)
            json.value("duration", waiter.duration)
          }
        }
      }
    }
  }
}
