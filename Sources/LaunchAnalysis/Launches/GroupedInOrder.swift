// SPDX-License-Identifier: Apache-2.0

extension Sequence {
  /// The elements by a key, in the order of the first element of each key.
  package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, members: [Element])] {
    var (places, groups): ([Key: Int], [(key: Key, members: [Element])]) = ([:], [])
    for element in self {
      let key = key(element)
      let place = places[key, default: groups.count]
      if place == groups.count {
        places[key] = place
        groups.append((key, []))
      }
      groups[place].members.append(element)
    }
    return groups
  }
}
