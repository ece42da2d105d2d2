// SPDX-License-Identifier: Apache-2.0

import Glibc
import LaunchProfiler

// Opens a library that also contains a recorder, and then goes on with its launch.
let signposter = LaunchSignposter(subsystem: "org.example.host", category: "Launch")
guard let library = dlopen(CommandLine.arguments[1], RTLD_NOW), let run = dlsym(library, "run_plugin") else {
  fatalError(String(cString: dlerror()))
}
unsafeBitCast(run, to: (@convention(c) () -> Void).self)()
signposter.withIntervalSignpost("after the plugin") {}
LaunchProfiler.mark(.ready)
