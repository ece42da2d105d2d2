// SPDX-License-Identifier: Apache-2.0

import Foundation

print("hello", Date().timeIntervalSince1970 > 0)
