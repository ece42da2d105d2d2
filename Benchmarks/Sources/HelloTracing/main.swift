// SPDX-License-Identifier: Apache-2.0

import Tracing

withSpan("hello") { _ in print("hello") }
