#if !canImport(os)
/// A main interface: how the initial view controller is made. Mirrors `UIStoryboard`, with a closure in place of the file.
@MainActor
public final class Storyboard {
  public let name: String
  private let make: @MainActor () -> ViewController

  /// - Parameters:
  ///   - name: for people.
  ///   - initialViewController: makes the view controller that the first window gets; nothing of its view.
  public init(name: String = "Main", initialViewController: @escaping @MainActor () -> ViewController) {
    self.name = name
    make = initialViewController
  }

  public func instantiateInitialViewController() -> ViewController { make() }
}
#endif
