import Foundation

print("hello", Date(timeIntervalSince1970: 0).timeIntervalSince1970)
