// SPDX-License-Identifier: Apache-2.0

// In C++ interoperability mode. The compiler emits these calls of the recorder here, and so reads its headers as C++.

import LaunchProfiler

let signposter = LaunchSignposter(subsystem: "org.example.hello", category: "Launch")
signposter.withIntervalSignpost("greet") { print("hello") }
signposter.emitEvent("greeted")
await signposter.withIntervalSignpost("farewell") { await Task.yield() }
LaunchProfiler.mark(.ready)
