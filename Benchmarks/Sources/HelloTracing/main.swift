import Tracing

withSpan("hello") { _ in print("hello") }
