// SPDX-License-Identifier: Apache-2.0

import LaunchProfiler

/// Has a recorder of its own, like every library that `LaunchProfiler` is linked into.
@_cdecl("run_plugin") public func runPlugin() {
  LaunchSignposter(subsystem: "org.example.plugin", category: "Launch").withIntervalSignpost("inside the plugin") {}
  LaunchProfiler.mark(.ready)
}
