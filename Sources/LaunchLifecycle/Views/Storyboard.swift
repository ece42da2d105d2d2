// SPDX-License-Identifier: Apache-2.0

#if !canImport(os)
/// Creates the initial view controller of an interface. Mirrors `UIStoryboard`, with a closure instead of a file.
@MainActor
public final class Storyboard {
  public let name: String
  private let make: @MainActor () -> ViewController

  /// - Parameters:
  ///   - name: a name for people.
  ///   - initialViewController: creates the view controller of the first window, without loading its view.
  public init(name: String = "Main", initialViewController: @escaping @MainActor () -> ViewController) {
    self.name = name
    make = initialViewController
  }

  public func instantiateInitialViewController() -> ViewController { make() }
}
#endif
