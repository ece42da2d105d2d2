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
      json.objects("globals", table.globals) { $0.write($1, start: start) }
    }
  }

  private mutating func write(_ global: LazyGlobal, start: Int64) {
    value("name", global.name)
    optional("module", global.module)
    value("image", global.image)
    value("owner", global.owner.rawValue)
    value("thread", global.thread)
    value("mainThread", global.isOnMainThread)
    value("start", global.start - start)
    value("duration", global.duration)
    value("self", global.selfTime)
    if global.isUnfinished { value("unfinished", true) }
    texts("askers", global.askers)
    objects("waiters", global.waiters) { json, waiter in
      json.value("thread", waiter.thread)
      json.value("mainThread", waiter.isOnMainThread)
      json.value("start", waiter.start - start)
      json.value("duration", waiter.duration)
    }
  }
}
