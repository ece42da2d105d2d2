// SPDX-License-Identifier: Apache-2.0

package import LaunchAnalysis

extension FindingGuide {
  /// The guide as text of `width` columns.
  package func text(width: Int) -> String {
    let style = TextStyle(hasColor: false, isASCII: true)
    return TextPage.text(style: style, width: max(40, min(width, 120))) { page in
      page.paragraph(id, indent: 0)
      page.paragraph(Self.plain(meaning), indent: 2)
      page.blank()
      for (title, text) in [("When", when), ("Shows", shows)] {
        page.paragraph(title, indent: 0)
        page.paragraph(Self.plain(text), indent: 2)
      }
      page.paragraph("What to do", indent: 0)
      for step in steps { page.paragraph("- " + Self.plain(step), indent: 2) }
    }
  }

  /// Text for a terminal. Without a mark, readers could not see where quoted words end.
  package static func plain(_ text: String) -> String { text.replacing("`", with: "'") }
}
