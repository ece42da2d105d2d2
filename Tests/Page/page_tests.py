# SPDX-License-Identifier: Apache-2.0
"""Opens the pages of a folder in a browser, as scripts/check-page says, and tests what they show and do.

Every page is opened from its file, every request is refused and counted, and nothing may be said on the console.
"""

import json
import pathlib
import sys
import unittest

from playwright.sync_api import sync_playwright

PAGES = pathlib.Path(sys.argv[1])
BROWSER = sys.argv[2]
AXE = (pathlib.Path(__import__("axe_core_python").__file__).parent / "axe.min.js").read_text()


class Opened:
    """A page in a browser, and what went wrong in it."""

    def __init__(self, browser, name, fragment="", scheme="light", width=1360, height=820):
        self.faults = []
        self.context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.page.on("console", lambda message: self.faults.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error.stack or error}"))
        self.page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.context.route("**/*", self.route)
        self.page.add_init_script(
            "document.addEventListener('securitypolicyviolation', e => console.error('CSP: ' + e.violatedDirective + ' ' + e.blockedURI))")
        self.path = PAGES / f"{name}.html"
        self.page.goto(self.path.as_uri() + (f"#{fragment}" if fragment else ""))

    def route(self, route):
        if route.request.url.split("#")[0] == self.path.as_uri():
            return route.continue_()
        self.faults.append(f"request: {route.request.url[:100]}")
        return route.abort()

    def frame(self):
        """Waits until what was asked for is drawn, and the URL is written."""
        self.page.evaluate("() => new Promise(done => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 90))")

    def fragment(self):
        self.frame()
        url = self.page.evaluate("location.hash.slice(1)")
        return dict(part.split("=", 1) for part in url.split("&") if part)

    def pixels(self, selector):
        """A canvas as numbers: what is drawn, without looking at it."""
        self.frame()
        return self.page.evaluate(
            """selector => { const shown = document.querySelector(selector);
            const c = Object.assign(document.createElement('canvas'), {width: shown.width, height: shown.height});
            const pen = c.getContext('2d', {willReadFrequently: true});
            pen.drawImage(shown, 0, 0);
            const d = pen.getImageData(0, 0, c.width, c.height).data;
            let sum = 0; const colors = new Set();
            for (let i = 0; i < d.length; i += 4) { sum = (sum * 31 + d[i] * 65536 + d[i + 1] * 256 + d[i + 2]) % 1000000007;
              colors.add(d[i] * 65536 + d[i + 1] * 256 + d[i + 2]); }
            return [sum, colors.size]; }""", selector)


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        # Root may not have a sandbox; the pages are our own.
        cls.browser = cls.playwright.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def open(self, name, fragment="", **how):
        opened = Opened(self.browser, name, fragment, **how)

        def close():
            opened.frame()
            opened.context.close()
            self.assertEqual(opened.faults, [], name)
        self.addCleanup(close)
        return opened

    def report(self, name):
        return json.loads((PAGES / f"{name}.json").read_text())


def milliseconds(ns):
    """As the page's exactTime has it."""
    rest = str(abs(ns) % 1_000_000).rjust(6, "0")
    whole = f"{ns // 1_000_000:,}".replace(",", "\u202f")
    return f"{whole}.{rest[:3] if rest.endswith('000') else rest} ms"


class SummaryTests(PageTest):
    def test_the_numbers_are_those_of_the_json_report(self):
        for name in ["held", "sampled", "server", "interface"]:
            with self.subTest(name):
                launch = self.report(name)["launches"][0]
                page = self.open(name).page
                self.assertEqual(page.locator(".figure strong").get_attribute("title"), milliseconds(launch["total"]))
                shown = page.locator(".summary table tbody tr").evaluate_all(
                    "rows => rows.map(row => [row.querySelector('th').innerText, row.querySelectorAll('td')[0].title])")
                self.assertEqual(shown, [[phase["id"], exact(phase["duration"])] for phase in launch["phases"]])
                self.assertEqual(page.locator(".finding").count(), min(6, len(launch["findings"])))

    def test_the_verdict_says_over_or_within_budget(self):
        launch = self.report("server")["launches"][0]
        words = self.open("server").page.locator(".badge").first.inner_text()
        self.assertIn("over" if launch["total"] > launch["budget"] else "within", words)
        self.assertIn("not complete", self.open("crash").page.locator(".badge").first.inner_text())

    def test_a_profile_without_times_has_none(self):
        page = self.open("folded").page
        self.assertEqual(page.locator("h1").inner_text(), "server.folded")
        self.assertEqual(page.locator(".figure strong").inner_text(), "185 samples")
        self.assertEqual(page.locator("[role=tab]").all_inner_texts(), ["Summary", "Flame graph", "Tables"])
        self.assertEqual(page.locator(".summary table, .axis").count(), 0)
        page.locator("#tab-tables").click()
        self.assertNotIn(" ns", page.locator("main").inner_text())

    def test_a_trace_of_no_length_has_no_scale(self):
        page = self.open("instant").page
        self.assertEqual(page.locator("h1").inner_text(), "instant.json")
        self.assertEqual(page.locator(".axis").count(), 1)
        self.assertEqual(page.locator(".scale span").count(), 0)

    def test_the_phases_stay_in_their_card(self):
        page = self.open("held", width=400).page
        self.assertLessEqual(page.locator("#view-summary").evaluate("view => view.scrollWidth"), 400)

    def test_search_dims_what_does_not_match(self):
        opened = self.open("held")
        opened.page.locator("#search").fill("templates")
        opened.frame()
        self.assertRegex(opened.page.locator("header output").inner_text(), r"^2 matches of \d+ rows( · .+)?$")
        self.assertEqual(opened.page.locator("tbody tr:not(.dimmed)").count(), 1)

    def test_a_finding_goes_to_its_place(self):
        opened = self.open("held")
        finding = self.report("held")["launches"][0]["findings"][0]
        opened.page.locator(".finding").first.click()
        fragment = opened.fragment()
        self.assertEqual(fragment["view"], "timeline")
        start, end = (float(part) for part in fragment["t"].split("%7E"))
        self.assertTrue(start <= finding["start"] <= end, (fragment, finding["start"]))
        self.assertTrue(opened.page.locator("#view-timeline").is_visible())


def exact(ns):
    return f"{ns} ns" if abs(ns) < 1000 else milliseconds(ns)


class TimelineTests(PageTest):
    def span(self, opened):
        text = opened.fragment().get("t")
        return tuple(float(part) for part in text.split("%7E")) if text else None

    def test_keys_zoom_and_pan(self):
        opened = self.open("held", "view=timeline")
        canvas = opened.page.locator("#view-timeline canvas.tracks")
        before = opened.pixels("#view-timeline canvas.tracks")
        self.assertGreater(before[1], 8)
        canvas.focus()
        opened.page.keyboard.press("w")
        first = self.span(opened)
        self.assertNotEqual(opened.pixels("#view-timeline canvas.tracks"), before)
        opened.page.keyboard.press("w")
        second = self.span(opened)
        self.assertLess(second[1] - second[0], first[1] - first[0])
        opened.page.keyboard.press("d")
        self.assertGreater(self.span(opened)[0], second[0])
        opened.page.keyboard.press("0")
        self.assertIsNone(self.span(opened))
        self.assertEqual(opened.pixels("#view-timeline canvas.tracks"), before)

    def test_the_wheel_zooms_at_the_pointer_and_a_drag_pans(self):
        opened = self.open("held", "view=timeline")
        box = opened.page.locator("#view-timeline canvas.tracks").bounding_box()
        opened.page.mouse.move(box["x"] + box["width"] / 4, box["y"] + 120)
        for _ in range(4):
            opened.page.mouse.wheel(0, -200)
        zoomed = self.span(opened)
        total = self.report("held")["launches"][0]["total"]
        self.assertLess(zoomed[1] - zoomed[0], total / 4)
        self.assertTrue(zoomed[0] < total / 4 < zoomed[1])
        opened.page.mouse.down()
        opened.page.mouse.move(box["x"] + box["width"] / 4 + 200, box["y"] + 120, steps=4)
        opened.page.mouse.up()
        self.assertLess(self.span(opened)[0], zoomed[0])

    def test_what_is_selected_is_told_and_survives_in_the_url(self):
        opened = self.open("held", "view=timeline")
        opened.page.locator("#view-timeline canvas.tracks").focus()
        opened.page.keyboard.press("ArrowRight")
        phases = self.report("held")["launches"][0]["phases"]
        panel = opened.page.locator("#view-timeline .panel")
        self.assertEqual(panel.locator("h3").inner_text(), phases[0]["id"])
        self.assertIn(exact(phases[0]["duration"]), panel.inner_text())
        opened.page.keyboard.press("ArrowRight")
        self.assertEqual(panel.locator("h3").inner_text(), phases[1]["id"])
        self.assertIn(phases[1]["id"], opened.page.locator("[aria-live]").inner_text())
        opened.page.keyboard.press("Enter")
        opened.frame()
        url, pixels = opened.page.evaluate("location.hash.slice(1)"), opened.pixels("#view-timeline canvas.tracks")
        again = self.open("held", url)
        self.assertEqual(again.page.locator("#view-timeline .panel h3").inner_text(), phases[1]["id"])
        self.assertEqual(again.pixels("#view-timeline canvas.tracks"), pixels)

    def test_the_critical_path_is_lit(self):
        opened = self.open("held", "view=timeline")
        before = opened.pixels("#view-timeline canvas.tracks")
        opened.page.locator("#critical").check()
        self.assertNotEqual(opened.pixels("#view-timeline canvas.tracks"), before)
        self.assertEqual(opened.fragment()["critical"], "1")

    def test_counters_are_drawn_told_and_found(self):
        opened = self.open("counters", "view=timeline")
        before = opened.pixels("#view-timeline canvas.tracks")
        opened.page.locator("#search").fill("QUEUED")
        opened.frame()
        self.assertEqual(opened.page.locator("header output").inner_text(), "1 match")
        self.assertNotEqual(opened.pixels("#view-timeline canvas.tracks"), before)
        opened.page.keyboard.press("Enter")
        panel = opened.page.locator("#view-timeline .panel")
        self.assertEqual(panel.locator("h3").inner_text(), "queued requests")
        opened.page.locator("#view-timeline canvas.tracks").focus()
        opened.page.keyboard.press("ArrowRight")
        self.assertEqual(panel.locator("dd").all_inner_texts()[:4], ["7", "+7", "0 to 11", "40"])
        self.assertIn("queued requests, 7, from", opened.page.locator("[aria-live]").inner_text())
        table = self.open("counters", "view=tables").page.locator("#table-counters tbody tr")
        names = table.evaluate_all("rows => rows.map(row => row.querySelector('th').innerText)")
        self.assertEqual(names, ["queued requests", "heap", "temperature"])

    def test_search_tells_how_many_and_how_long(self):
        opened = self.open("interface", "view=timeline")
        launch = self.report("interface")["launches"][0]
        node = max((n for n in launch["flame"] if "parent" in n and n["calls"] == 1), key=lambda n: n["total"])
        opened.page.keyboard.press("/")
        opened.page.keyboard.type(node["name"])
        opened.frame()
        words = opened.page.locator("header output").inner_text()
        self.assertRegex(words, r"^\d+ match")
        self.assertRegex(words, r"[mµn]s$")
        opened.page.keyboard.press("Enter")
        opened.frame()
        self.assertIn(node["name"].lower(), opened.page.locator("#view-timeline .panel h3").inner_text().lower())
        self.assertIn("q", opened.fragment())


class FlameTests(PageTest):
    def test_all_ways_to_look_at_it(self):
        seen = set()
        for source in ["spans", "samples", "merged"]:
            for more in ["", "&order=heavy", "&inverted=1", "&color=module"]:
                opened = self.open("sampled", f"view=flame&flame={source}{more}")
                pixels = opened.pixels("#view-flame canvas.tracks")
                self.assertGreater(pixels[1], 4, source + more)
                seen.add(pixels[0])
        self.assertGreaterEqual(len(seen), 6)

    def test_functions_have_their_colour_also_inverted(self):
        opened = self.open("sampled", "view=flame&flame=samples&inverted=1")
        opened.frame()
        shown = opened.page.locator("#view-flame canvas").evaluate(
            """canvas => { const pen = canvas.getContext('2d'); const row = pen.getImageData(0, 3, canvas.width, 1).data;
            const style = getComputedStyle(document.documentElement); const found = new Set();
            const hex = part => part.toString(16).padStart(2, '0');
            for (let i = 0; i < row.length; i += 4) found.add('#' + hex(row[i]) + hex(row[i + 1]) + hex(row[i + 2]));
            return [...Array(8).keys()].filter(hue => found.has(style.getPropertyValue('--hue-' + hue).trim())).length; }""")
        self.assertGreater(shown, 0)

    def test_the_legend_has_no_colour_twice(self):
        for name in ["sampled", "attack"]:
            colors = self.open(name, "view=flame&flame=samples").page.locator(".fill > .legend i").evaluate_all(
                "swatches => swatches.map(swatch => getComputedStyle(swatch).backgroundColor)")
            self.assertGreater(len(colors), 0)
            self.assertEqual(len(set(colors)), len(colors), name)

    def test_search_holds_the_time_of_the_report(self):
        rows = self.report("sampled")["launches"][0]["samples"]
        leaf = max((row for row in rows if "parent" in row), key=lambda row: row["self"])
        named = [row for row in rows if leaf["name"].lower() in row["name"].lower()]
        opened = self.open("sampled", "view=flame&flame=samples")
        opened.page.locator("#search").fill(leaf["name"])
        opened.frame()
        self.assertIn(f"{len(named)} match", opened.page.locator("header output").inner_text())

    def test_keys_select_and_zoom_and_the_url_keeps_it(self):
        opened = self.open("sampled", "view=flame&flame=samples")
        opened.page.locator("#view-flame canvas.tracks").focus()
        for key in ["ArrowDown", "ArrowDown", "Enter"]:
            opened.page.keyboard.press(key)
        name = opened.page.locator("#view-flame .panel h3").inner_text()
        root = opened.fragment()["root"]
        again = self.open("sampled", f"view=flame&flame=samples&root={root}")
        self.assertEqual(again.page.locator("#view-flame .panel h3").inner_text(), name)
        self.assertEqual(again.pixels("#view-flame canvas.tracks")[0], opened.pixels("#view-flame canvas.tracks")[0])
        opened.page.keyboard.press("Backspace")
        opened.page.keyboard.press("0")
        self.assertNotIn("root", opened.fragment())


class TableTests(PageTest):
    def test_headers_sort(self):
        page = self.open("server", "view=tables").page
        header = page.locator("#table-phases thead th").nth(2)
        header.locator("button").click()
        self.assertEqual(header.get_attribute("aria-sort"), "descending")
        shown = page.locator("#table-phases tbody tr").evaluate_all("rows => rows.map(row => row.querySelectorAll('td')[1].title)")
        order = [float(text.split()[0].replace("\u202f", "")) * (1e-6 if text.endswith("ns") else 1) for text in shown]
        self.assertEqual(order, sorted(order, reverse=True))

    def test_search_finds_what_is_shown(self):
        opened = self.open("server", "view=tables")
        rows = opened.page.locator("#table-phases tbody tr:has(td + td)")
        time = rows.first.locator("td").nth(1).inner_text()
        box = opened.page.locator("#search")
        box.fill(time)
        opened.frame()
        self.assertIn(time, [shown for shown in rows.locator("td:nth-of-type(2)").all_inner_texts()])
        # Cells may be empty.
        box.fill("undefined")
        opened.frame()
        self.assertEqual(rows.count(), 0)

    def test_the_search_box_keeps_its_blanks(self):
        opened = self.open("server", "view=tables")
        opened.page.locator("#search").press_sequentially("a b ")
        opened.frame()
        self.assertEqual(opened.page.locator("#search").input_value(), "a b ")
        self.assertEqual(opened.fragment()["q"], "a+b")
        opened.page.locator("#search").press("Escape")
        self.assertEqual(opened.page.locator("#search").input_value(), "")

    def test_rows_are_copied_as_csv(self):
        opened = self.open("attack", "view=tables")
        opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
        opened.page.locator("#table-intervals .tool").click()
        text = opened.page.evaluate("navigator.clipboard.readText()")
        lines = text.split("\r\n")
        self.assertTrue(lines[0].startswith("Path,Total (ns),Self (ns)"))
        opened.page.locator("#table-findings .tool").click()
        text = opened.page.evaluate("navigator.clipboard.readText()")
        self.assertNotIn("\u202e", text)
        self.assertIn("'=cmd()", text)


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

    def test_a_link_cannot_break_the_page(self):
        for fragment in ["view=__proto__", "view=timeline&t=NaN~1&sel=9e9.-1", "view=flame&root=99999999&flame=x&order=<b>",
                         "q=%00%ff&launch=77",
                         "view=timeline&t=5~5&sel=constructor", "%", "view=timeline&t=-1e300~1e300"]:
            opened = self.open("held", fragment)
            opened.frame()
            self.assertGreater(opened.page.locator("main section:not([hidden])").count(), 0, fragment)


class SeriesTests(PageTest):
    def test_every_launch_is_a_dot_that_opens_it(self):
        opened = self.open("series")
        summary = self.report("series")["summary"]
        page = opened.page
        self.assertEqual(page.locator("circle.dot").count(), summary["launches"])
        self.assertEqual(page.locator("circle.hollow").count(), summary["launches"] - summary["counted"])
        self.assertEqual(page.locator("#table-spread tbody tr").count(), len(summary["phases"]))
        page.locator("circle.dot").nth(3).focus()
        page.keyboard.press("Enter")
        opened.frame()
        number = int(opened.fragment()["launch"])
        total = self.report("series")["launches"][number - 1]["total"]
        self.assertEqual(page.locator(".figure strong").first.get_attribute("title"), milliseconds(total))

    def test_tabs_fit_a_narrow_screen(self):
        page = self.open("series", width=320).page
        self.assertEqual(page.locator("header [role=tab]").evaluate_all(
            "tabs => tabs.filter(tab => tab.getBoundingClientRect().right > 320).length"), 0)

    def test_nothing_is_wider_than_a_narrow_screen(self):
        for name in ["series", "held", "sampled", "compare-regression", "compare-budgets", "history"]:
            for width in [320, 360]:
                page = self.open(name, width=width).page
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width, name)
                self.assertEqual(page.locator(".view:not([hidden])").evaluate(
                    "view => view.scrollWidth - view.clientWidth"), 0, f"{name} {width}")
                page.locator("#search").fill("a")
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width, f"{name}: search")

    def test_a_narrow_chart_can_be_read(self):
        for name in ["series", "history", "compare-regression"]:
            page = self.open(name, width=400).page
            heights = page.locator("svg.chart text").evaluate_all("texts => texts.map(text => text.getBoundingClientRect().height)")
            self.assertGreater(len(heights), 0)
            self.assertGreater(min(heights), 8, name)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 400, name)

    def test_a_launch_that_is_left_is_forgotten(self):
        page = self.open("series", "view=timeline").page
        debugger = page.context.new_cdp_session(page)
        debugger.send("Performance.enable")

        def nodes():
            for _ in range(3):
                debugger.send("HeapProfiler.collectGarbage")
                page.wait_for_timeout(50)
            return next(metric["value"] for metric in debugger.send("Performance.getMetrics")["metrics"] if metric["name"] == "Nodes")

        counts = []
        for place in range(12):
            page.locator("#launch").select_option(index=place)
            for tab in ["timeline", "flame"]:
                page.locator(f"#tab-{tab}").click()
            counts.append(nodes())
        self.assertLess(counts[-1], counts[1] + 200, counts)


class ComparisonTests(PageTest):
    def test_every_result_has_its_verdict(self):
        for path in sorted(PAGES.glob("compare-*.json")):
            report = json.loads(path.read_text())
            page = self.open(path.stem).page
            self.assertEqual(page.locator(".verdict").get_attribute("data-status"), report["status"], path.stem)
            reasons = page.locator(".reasons").inner_text()
            for reason in report["reasons"]:
                self.assertIn(reason[:40].replace("\u001b", "\\u{1B}")[:20], reasons)

    def test_recorded_launches_are_on_their_side(self):
        for name in ["compare-sessions", "compare-regression"]:
            page = self.open(name).page
            launches = self.report(name)["launches"]
            for side, shape in [("base", "circle.base"), ("head", "rect.head")]:
                shown = page.locator(f"svg.chart {shape}").count()
                self.assertEqual(shown, len([launch for launch in launches if launch["side"] == side]))
                self.assertGreater(shown, 0)

    def test_a_bound_that_is_not_known_is_no_time(self):
        page = self.open("compare-few").page
        intervals = page.locator("table.plain tbody tr td:nth-child(4)").all_inner_texts()
        self.assertIn("unknown", intervals)
        self.assertFalse([text for text in intervals if "0 ns" in text], intervals)

    def test_an_interval_that_is_not_known_has_no_ends(self):
        plots = self.open("compare-counted").page.locator(".forest tbody svg").evaluate_all(
            "plots => plots.map(plot => [plot.getAttribute('aria-label'), plot.querySelectorAll('.whisker').length])")
        self.assertTrue([words for words, _ in plots if words.endswith("interval unknown")])
        for words, whiskers in plots:
            if words.endswith("interval unknown"):
                self.assertEqual(whiskers, 0, words)

    def test_the_forest_has_the_numbers_of_the_report(self):
        opened = self.open("compare-regression")
        metrics = {metric["metric"]: metric for metric in self.report("compare-regression")["comparison"]["metrics"]}
        rows = opened.page.locator(".forest tbody tr").evaluate_all(
            "rows => rows.map(row => [row.querySelector('th').title, row.querySelectorAll('td')[2].innerText])")
        self.assertEqual(rows[0][0], "total")
        for name, shown in rows:
            relative = metrics[name]["change"]["relative"]
            if relative is None:
                continue
            self.assertAlmostEqual(float(shown.replace("−", "-").replace("%", "").replace("+", "")), relative * 100, delta=0.051)
        self.assertEqual(opened.page.locator("svg circle.base").count(), 40)
        self.assertEqual(opened.page.locator("svg rect.head").count(), 40)

    def test_base_and_head_agree_with_the_change(self):
        for name in ["compare-sessions", "compare-regression"]:
            row = self.open(name).page.locator(".forest tbody tr").first
            base, head, change = [float(text.split()[0].replace("−", "-")) for text in row.locator("td.number").all_inner_texts()]
            self.assertAlmostEqual((head / base - 1) * 100, change, delta=0.3)

    def test_the_table_and_the_summary_have_the_same_numbers(self):
        for name in ["compare-sessions", "compare-regression"]:
            page = self.open(name).page
            cells = "rows => rows.map(row => [row.querySelector('th').title, ...[...row.querySelectorAll('td')].map(td => td.innerText)])"
            summary = [row[:4] for row in page.locator(".forest tbody tr").evaluate_all(cells)]
            page.locator("#tab-tables").click()
            table = [row[:1] + row[2:5] for row in page.locator("#table-metrics tbody tr").evaluate_all(cells)]
            rows = {row[0]: row for row in table}
            for row in summary:
                if row[3] != "new":
                    self.assertEqual(row, rows[row[0]])

    def test_the_labels_of_the_axis_are_inside(self):
        for name in ["compare-sessions", "compare-regression"]:
            outside = self.open(name).page.locator(".forest thead svg").evaluate(
                """svg => [...svg.querySelectorAll('text')].filter(text => { const box = text.getBBox();
                return box.x < 0 || box.x + box.width > 300 || text.textContent.includes('-'); }).map(text => text.textContent)""")
            self.assertEqual(outside, [], name)

    def test_the_difference_says_which_side_is_which(self):
        opened = self.open("compare-regression", "view=flame")
        nodes = self.report("compare-regression")["comparison"]["flame"]
        words = opened.page.locator("#view-flame .tools").inner_text()
        self.assertIn("HEAD (after)", words)
        self.assertIn("BASE (before)", words)
        before = opened.pixels("#view-flame canvas.tracks")
        self.assertGreater(before[1], 4)
        canvas = opened.page.locator("#view-flame canvas.tracks")
        canvas.focus()
        opened.page.keyboard.press("ArrowDown")
        facts = opened.page.locator("#view-flame .panel").inner_text()
        roots = [node for node in nodes if node["depth"] == 0 and node["head"] > 0]
        self.assertIn(opened.page.locator("#view-flame .panel h3").inner_text(), [root["name"] for root in roots])
        self.assertIn("Base", facts)
        new = [node for node in nodes if node["head"] > 0 and node["base"] == 0]
        self.assertTrue(new)

    def test_search_says_what_both_sides_take(self):
        report = self.report("compare-regression")
        node = max((n for n in report["comparison"]["flame"] if n["depth"] > 0), key=lambda n: n["head"])
        for view in ["summary", "flame", "tables"]:
            with self.subTest(view):
                opened = self.open("compare-regression", f"view={view}")
                opened.page.locator("#search").fill(node["name"])
                opened.frame()
                self.assertRegex(opened.page.locator("header output").inner_text(), r"○ [\d.]+ [mµn]?s → ■ [\d.]+ [mµn]?s$")


class AccessTests(PageTest):
    """axe-core, in both themes, and the keyboard alone."""

    def axe(self, name, fragment, scheme):
        opened = self.open(name, fragment, scheme=scheme)
        opened.frame()
        # The page's policy forbids scripts of others: the browser's debugger may run them all the same.
        opened.page.evaluate(AXE + "; undefined")
        result = opened.page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        return [(violation["id"], [node["target"] for node in violation["nodes"]][:3]) for violation in result["violations"]]

    def test_axe_finds_nothing(self):
        pages = [("held", view) for view in ["summary", "timeline", "flame", "tables"]] + [("counters", "timeline"), ("counters", "tables")]
        pages += [("series", "launches"), ("compare-regression", "summary"), ("compare-regression", "flame"),
                  ("compare-regression", "tables"),
                  ("compare-budgets", "summary"), ("history", "summary")]
        for name, view in pages:
            if not (PAGES / f"{name}.html").exists():
                continue
            for scheme in ["light", "dark"]:
                with self.subTest(f"{name} {view} {scheme}"):
                    self.assertEqual(self.axe(name, f"view={view}", scheme), [])

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


class HistoryTests(PageTest):
    def test_the_chart_has_every_commit(self):
        if not (PAGES / "history.html").exists():
            self.skipTest("no history page")
        opened = self.open("history")
        rows = opened.page.locator("#table-commits tbody tr").count()
        self.assertGreater(rows, 0)
        self.assertEqual(opened.page.locator("svg.chart circle.dot").count(), rows)

    def test_budgets_and_baselines_are_lines_and_listed(self):
        page = self.open("history").page
        self.assertEqual(page.locator("svg.chart line.budget").count(), 2)
        self.assertEqual(page.locator("svg.chart line.baseline").count(), 2)
        rows = page.locator("#limits tbody tr").all_inner_texts()
        self.assertEqual([row.split("\t")[0].split(",")[0] for row in rows], ["Budget of p95", "Budget of the median", "⚑ Baseline main"])
        self.assertIn("? likely within", rows[0])
        self.assertIn("? likely over", rows[1])

    def test_a_change_has_all_commits_that_may_have_made_it(self):
        opened = self.open("history")
        changes = json.loads(opened.page.locator("#page-data").text_content())["changes"]
        rows = opened.page.locator(".reasons li").all_inner_texts()
        self.assertEqual(len(rows), len(changes))
        for row, change in zip(rows, changes):
            commits = change["last"] - change["first"] + 1
            self.assertEqual(f"one of {commits} commits" in row, commits > 1, row)

    def test_search_says_what_the_commits_take(self):
        opened = self.open("history")
        opened.page.locator("#search").fill("dddd")
        opened.frame()
        median = opened.page.locator("#table-commits tbody tr td").first.inner_text()
        self.assertEqual(opened.page.locator("header output").inner_text(), f"1 match of 20 rows · {median}")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
