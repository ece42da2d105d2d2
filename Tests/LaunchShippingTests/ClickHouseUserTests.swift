// SPDX-License-Identifier: Apache-2.0

import LaunchWire
import Testing

struct ClickHouseUserTests {
  private func headers(_ name: String?, _ password: String?) -> [String] {
    ClickHouseUser.headers(name: name, password: password).map { "\($0.name): \($0.value)" }
  }

  @Test func theServersOwnHeadersAreSent() {
    #expect(headers(nil, nil) == [])
    #expect(headers("me", nil) == ["X-ClickHouse-User: me"])
    #expect(headers("a:b", "p%40$") == ["X-ClickHouse-User: a:b", "X-ClickHouse-Key: p%40$"])
    #expect(headers(nil, "key") == ["X-ClickHouse-Key: key"])
  }

  @Test func allCharactersAreSent() {
    #expect(headers("me", "schlüssel") == ["Authorization: Basic bWU6c2NobMO8c3NlbA=="])
    #expect(headers(nil, "日") == ["Authorization: Basic ZGVmYXVsdDrml6U="])
    #expect(headers("ö", nil) == ["Authorization: Basic w7Y6"])
    #expect(headers("me", "a\r\nX: y ") == ["Authorization: Basic bWU6YQ0KWDogeSA="])
    #expect(headers("\u{ff}\u{ff}?", ">") == ["Authorization: Basic w7/Dvz86Pg=="])
  }
}
