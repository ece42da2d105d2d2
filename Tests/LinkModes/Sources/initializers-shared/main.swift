// SPDX-License-Identifier: Apache-2.0

import CSlowLibrary
import CSlowObject
import LaunchProfiler

print("library \(slow_library().start) \(slow_library().end)")
print("c \(slow_c().start) \(slow_c().end)")
print("c++ \(slow_cxx().start) \(slow_cxx().end)")
LaunchProfiler.mark(.ready)
