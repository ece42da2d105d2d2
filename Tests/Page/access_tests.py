# SPDX-License-Identifier: Apache-2.0
"""Every page for everyone: hostile names, keyboards, screen readers and paper."""

import pathlib

import axe_core_python

from page_test import PageTest

AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text()


class HostileTests(PageTest):
    def test_names_are_inert(self):
        for name in ["attack", "hostile"]:
            for view in ["summary", "timeline", "flame", "flame&flame=samples&color=module", "tables"]:
                opened = self.open(name, f"view={view}&q=a")
                opened.frame()
                page = opened.page
                self.assertEqual(page.locator("img, iframe, svg[onload]").count(), 0)
                self.assertEqual(page.locator("script").count(), 3)
                self.assertEqual(page.evaluate("({}).polluted"), None)
                self.assertNotIn("\u202e", page.locator("body").inner_text())
                self.doCleanups()

    def test_a_link_cannot_break_the_page(self):
        for fragment in ["view=__proto__", "view=timeline&t=NaN~1&sel=9e9.-1", "view=flame&root=99999999&box=99999999&flame=x&order=<b>",
                         "q=%00%ff&launch=77",
                         "view=timeline&t=5~5&sel=constructor", "%", "view=timeline&t=-1e300~1e300"]:
            opened = self.open("held", fragment)
            opened.frame()
            self.assertGreater(opened.page.locator("main section:not([hidden])").count(), 0, fragment)
            self.doCleanups()


class AccessTests(PageTest):
    """axe-core, in both themes, and the keyboard alone."""

    def axe(self, page, **options):
        result = page.evaluate("options => axe.run(document, options)", {"resultTypes": ["violations"], **options})
        return [(violation["id"], [node["target"] for node in violation["nodes"]][:3]) for violation in result["violations"]]

    def test_axe_finds_nothing(self):
        pages = [("held", view) for view in ["summary", "timeline", "flame", "tables"]] + [("counters", "timeline"), ("counters", "tables")]
        pages += [("series", "launches"), ("compare-regression", "summary"), ("compare-regression", "flame"),
                  ("compare-regression", "tables"),
                  ("compare-budgets", "summary"), ("history", "summary")]
        for name, view in pages:
            with self.subTest(f"{name} {view}"):
                opened = self.open(name, f"view={view}")
                opened.frame()
                # The page's policy forbids scripts of others: the browser's debugger may run them all the same.
                opened.page.evaluate(AXE + "; undefined")
                self.assertEqual(self.axe(opened.page), [])
                # The other theme differs in nothing but colours.
                opened.page.emulate_media(color_scheme="dark")
                opened.frame()
                self.assertEqual(self.axe(opened.page, runOnly=["color-contrast", "link-in-text-block"]), [], "dark")
                self.doCleanups()

    def test_high_contrast_keeps_what_colours_say(self):
        page = self.open("held").page
        page.emulate_media(forced_colors="active")

        def color(selector):
            return page.locator(selector).first.evaluate("shown => getComputedStyle(shown).backgroundColor")
        self.assertNotEqual(color("[role=tab][aria-selected=true]"), color("[role=tab][aria-selected=false]"))
        count = page.locator(".summary .legend .swatch").count()
        self.assertEqual(len({color(f".summary .legend li:nth-child({place + 1}) .swatch") for place in range(count)}), count)

    def test_print_is_light_in_both_themes(self):
        def colors(scheme):
            opened = self.open("held", scheme=scheme)
            opened.page.emulate_media(media="print")
            return opened.page.evaluate(
                """Array.from(document.querySelectorAll('body, #view-summary *'), shown => {
                const style = getComputedStyle(shown); return [style.color, style.backgroundColor, style.fill].join(); })""")

        printed = colors("light")
        self.assertGreater(len(set(printed)), 5)
        self.assertEqual(colors("dark"), printed)

    def test_print_has_everything_in_its_width(self):
        for name in ["series", "sampled", "interface", "compare-regression"]:
            # The width of A4 without its margins.
            page = self.open(name, width=718).page
            page.emulate_media(media="print")
            page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
            self.assertEqual(page.locator("button.rest").count(), 0, name)
            self.assertEqual(page.locator(".wide").evaluate_all(
                "boxes => boxes.filter(box => box.scrollWidth > box.clientWidth).map(box => box.getAttribute('aria-label'))"), [], name)
            if name in ["sampled", "interface"]:
                findings = self.report(name)["launches"][0]["findings"]
                self.assertEqual(page.locator(".findings li").count(), len(findings), name)

    def test_print_has_the_first_rows_of_each_table(self):
        page = self.open("crowd").page
        page.emulate_media(media="print")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        tables = page.locator(".table").evaluate_all(
            """tables => tables.filter(table => table.id !== 'table-findings').map(table => [
            Number(table.querySelector('.count').innerText.replaceAll('\u202f', '')),
            [...table.querySelectorAll('tbody tr')].filter(row => row.offsetHeight && !row.querySelector('td.muted')).length,
            [...table.querySelectorAll('.unprinted')].filter(rest => rest.offsetHeight)
              .map(rest => rest.innerText.replaceAll('\u202f', '')).join()])""")
        self.assertTrue([rows for rows, _, _ in tables if rows > 20])
        for rows, printed, rest in tables:
            self.assertEqual([printed, rest], [min(rows, 20), f"… {rows - 20} more" if rows > 20 else ""])

    def test_advice_can_be_read_at_every_width(self):
        for width in [360, 768, 1360]:
            cells = self.open("sampled", "view=tables", width=width).page.locator("td.prose")
            self.assertGreater(cells.count(), 0)
            self.assertGreaterEqual(min(cells.evaluate_all("cells => cells.map(cell => cell.clientWidth)")), 200, width)

    def test_the_name_of_a_finding_has_a_line_of_its_own_before_it_is_broken(self):
        for width in [768, 1360, 1920]:
            name = self.open("sampled", width=width).page.locator(".finding b", has_text="~Session.restore()")
            self.assertLess(name.evaluate("name => name.clientHeight"), 30, width)

    def test_tab_reaches_everything(self):
        opened = self.open("held")
        page = opened.page
        seen = []
        for _ in range(12):
            page.keyboard.press("Tab")
            seen.append(page.evaluate("document.activeElement.className || document.activeElement.id || document.activeElement.tagName"))
        self.assertIn("tab-summary", seen)
        self.assertTrue(any("phase" in name for name in seen), seen)
        page.locator("#tab-summary").focus()
        page.keyboard.press("ArrowRight")
        opened.frame()
        self.assertTrue(page.locator("#view-timeline").is_visible())
        self.assertEqual(page.evaluate("document.activeElement.id"), "tab-timeline")
