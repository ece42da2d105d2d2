// SPDX-License-Identifier: Apache-2.0

import LaunchShipping
import LaunchSystem
import Testing

struct WebTests {
  @Test func addressesAreRead() {
    for (text, authority, target) in [
      ("http://host", "host", "/"), ("http://host:4318/", "host:4318", "/"),
      ("http://[::1]:80/a/b?c=d#e", "[::1]", "/a/b?c=d"),
      ("https://host:443/v1/traces", "host", "/v1/traces"), ("http://10.0.0.1:1?x", "10.0.0.1:1", "/?x"),
    ] {
      let address = WebAddress(text)
      #expect(address?.authority == authority)
      #expect(address?.target == target)
    }
    for text in [
      "", "host", "ftp://host", "http://", "http://:80", "http://host:", "http://host:0", "http://host:99999",
      "http://a b", "http://host/\r\nX: y", "http://user:secret@host", "http://::1", "http://[::1",
    ] {
      #expect(WebAddress(text) == nil, "\(text)")
    }
  }

  @Test func destinationsAreNamed() throws {
    func name(_ text: String) throws(ShippingError) -> String { try Destination(text, format: .json, headers: []).name }
    #expect(try name("otlp=http://host:4318") == "http://host:4318/v1/traces")
    #expect(try name("otlp=http://host:4318/mine") == "http://host:4318/mine")
    #expect(try name("out/launches.jsonl.zst") == "out/launches.jsonl.zst")
    #expect(try name("clickhouse=https://host") == "https://host/")
    #expect(try name("./otlp") == "./otlp")
    for text in ["otlp=host:4318", "http://host", "kafka=host", "otlp", "clickhouse", "otlp:http://host/?a=b"] {
      #expect(throws: ShippingError.self) { try name(text) }
    }
  }
}
