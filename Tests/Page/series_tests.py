# SPDX-License-Identifier: Apache-2.0
"""Pages of several launches: sets, comparisons and histories."""

import json

from page_test import PAGES, PageTest, milliseconds


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

    def test_a_launch_that_the_page_does_not_have_is_named(self):
        opened = self.open("series", "launch=9999")
        notice = opened.page.locator(".notice")
        self.assertEqual(notice.inner_text(), "There is no launch 9999 in this report.")
        self.assertNotIn("launch", opened.fragment())
        opened.page.locator("circle.dot").first.click()
        opened.frame()
        self.assertFalse(notice.is_visible())

    def test_the_first_screen_says_to_what_the_launches_last(self):
        ends = {launch["end"] for launch in self.report("series")["launches"] if "leftOut" not in launch}
        words = self.open("series").page.locator("#view-launches .figure").inner_text()
        self.assertEqual(len(ends), 1)
        self.assertIn(f"median to {ends.pop()} ·", words)

    def test_keys_go_from_launch_to_launch(self):
        opened = self.open("series")
        page = opened.page
        self.assertEqual(page.locator("circle[tabindex='0']").count(), 1)
        page.locator("circle[tabindex='0']").focus()
        page.keyboard.press("ArrowRight")
        self.assertEqual(page.locator("circle[tabindex='0']").count(), 1)
        label = page.evaluate("document.activeElement.getAttribute('aria-label')")
        page.keyboard.press("Enter")
        opened.frame()
        self.assertIn(f"Launch {opened.fragment()['launch']},", label)
        self.assertIn(f"Launch {opened.fragment()['launch']},", page.locator("[aria-live]").inner_text())
        self.assertEqual(page.evaluate("document.activeElement.id"), "view-summary")
        page.locator("#launch").focus()
        for _ in range(2):
            page.keyboard.press("ArrowDown")
        opened.frame()
        self.assertEqual(page.evaluate("document.activeElement.id"), "launch")

    def test_launches_are_sorted_by_their_number(self):
        page = self.open("series").page
        page.locator("#table-launches th button", has_text="Launch").first.click()
        shown = [int(text) for text in page.locator("#table-launches tbody th").all_inner_texts()]
        self.assertEqual(shown, sorted(shown))
        self.assertGreater(len(shown), 10)

    def test_numbers_of_a_chart_cover_no_names_of_commits(self):
        for width in [390, 1360]:
            page = self.open("history", width=width).page
            page.locator(".wide:has(.chart)").first.evaluate("box => { box.scrollLeft = 0; }")
            covered = page.evaluate(
                """() => { const { right, bottom } = document.querySelector('.chart .scale rect').getBoundingClientRect();
                const names = [...document.querySelectorAll('.chart > text')].filter(text => /^(...…|[a-f]{8}$)/.test(text.textContent));
                const boxes = names.map(name => name.getBoundingClientRect());
                return [boxes.length, boxes.filter(box => box.left < right && box.top < bottom).length]; }""")
            self.assertGreater(covered[0], 3)
            self.assertEqual(covered[1], 0, width)
            self.assertTrue(page.evaluate(
                """() => { const chart = document.querySelector('.chart'); const end = chart.viewBox.baseVal.width;
                const boxes = [...chart.querySelectorAll('text')].map(text => text.getBBox());
                return boxes.every(box => box.x + box.width <= end); }"""))

    def test_a_gate_without_a_comparison_compared_nothing(self):
        self.assertEqual(self.open("compare-budgets").page.locator("h1").inner_text(), "Launches of notes-server checked: over budget")
        self.assertEqual(self.open("compare-regression").page.locator("h1").inner_text(), "Launches of notes-server compared: regressed")

    def test_launches_without_a_comparison_are_on_no_side(self):
        page = self.open("compare-budgets").page
        self.assertEqual(page.locator("svg.chart circle.launch").count(), 40)
        self.assertEqual(page.locator("svg.chart .base, svg.chart .head").count(), 0)
        self.assertRegex(page.locator("svg.chart circle title").first.text_content(), "^launch 1, ")

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
                self.doCleanups()

    def test_a_narrow_chart_can_be_read(self):
        for name in ["series", "history", "compare-regression"]:
            page = self.open(name, width=400).page
            heights = page.locator("svg.chart text").evaluate_all("texts => texts.map(text => text.getBoundingClientRect().height)")
            self.assertGreater(len(heights), 0)
            self.assertGreater(min(heights), 8, name)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 400, name)

    def test_charts_fit_a_window_of_half_a_screen(self):
        for name in ["series", "history", "compare-regression"]:
            page = self.open(name, width=700).page
            hidden = page.locator(".wide:has(.chart)").evaluate_all("boxes => boxes.map(box => box.scrollWidth - box.clientWidth)")
            self.assertEqual(hidden, [0], name)

    def test_a_narrow_chart_first_shows_what_counts(self):
        def is_shown(name, selector):
            opened = self.open(name, width=360)
            opened.frame()
            return opened.page.locator(selector).last.evaluate(
                """part => { const [own, box] = [part, part.closest('.wide')].map(it => it.getBoundingClientRect());
                return own.left >= box.left && own.right <= box.right; }""")
        self.assertTrue(is_shown("series", "line.median"))
        self.assertTrue(is_shown("history", "svg.chart circle"), "the latest commit")

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
            self.doCleanups()

    def test_recorded_launches_are_on_their_side(self):
        for name in ["compare-sessions", "compare-regression"]:
            page = self.open(name).page
            launches = self.report(name)["launches"]
            for side, shape in [("base", "circle.base"), ("head", "rect.head")]:
                shown = page.locator(f"svg.chart {shape}").count()
                self.assertEqual(shown, len([launch for launch in launches if launch["side"] == side]))
                self.assertGreater(shown, 0)

    def test_a_part_that_is_gone_takes_no_time(self):
        page = self.open("compare-gone", "view=tables").page
        metric = next(metric for metric in self.report("compare-gone")["comparison"]["metrics"] if metric["metric"].endswith("/migrate"))
        self.assertLess(metric["change"]["relative"], -1)
        row = page.locator("#table-metrics tbody tr", has_text="migrate").first.locator("td").all_inner_texts()
        self.assertEqual(row[2:4], ["0 ns", "−100.0 %"])
        page.locator("#tab-summary").click()
        row = page.locator(".pairs tbody tr", has_text="migrate").inner_text()
        self.assertIn("■ 0 ns", row)
        self.assertIn("gone", row)

    def test_a_failed_launch_says_how_it_failed(self):
        page = self.open("compare-failed", "view=tables").page
        self.assertIn("How it failed", page.locator("#table-launches thead").inner_text())
        failures = [launch["failure"] for launch in self.report("compare-failed")["launches"] if "failure" in launch]
        self.assertGreater(len(failures), 0)
        self.assertIn(failures[0], page.locator("#table-launches tbody").inner_text())

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

    def test_an_interval_has_no_end_at_the_edge_of_the_scale(self):
        page = self.open("compare-regression").page
        ends = page.locator(".forest line.whisker").evaluate_all(
            "lines => lines.filter(line => line.y1.baseVal.value !== line.y2.baseVal.value).map(line => line.x1.baseVal.value)")
        self.assertGreater(len(ends), 2)
        self.assertEqual([end for end in ends if end <= 0 or end >= 300], [])

    def test_the_forest_has_the_numbers_of_the_report(self):
        opened = self.open("compare-regression")
        metrics = {metric["metric"]: metric for metric in self.report("compare-regression")["comparison"]["metrics"]}
        rows = opened.page.locator(".forest tbody tr").evaluate_all(
            "rows => rows.map(row => [row.querySelector('th').title, row.querySelectorAll('td')[3].innerText])")
        self.assertEqual(rows[0][0], "total")
        for name, shown in rows:
            relative = metrics[name]["change"]["relative"]
            if relative is None:
                continue
            self.assertAlmostEqual(float(shown.replace("−", "-").replace("%", "").replace("+", "")), relative * 100, delta=0.051)
        self.assertEqual(opened.page.locator("svg circle.base").count(), 40)
        self.assertEqual(opened.page.locator("svg rect.head").count(), 40)

    def test_a_narrow_screen_has_the_verdicts(self):
        for width in [360, 700, 1360]:
            page = self.open("compare-regression", width=width).page
            ends = page.locator(".forest tbody .badge").evaluate_all("badges => badges.map(badge => badge.getBoundingClientRect().right)")
            self.assertGreater(len(ends), 2)
            self.assertLess(max(ends), width)
        self.assertEqual(self.open("compare-regression", width=700).page.locator(".wide:has(.forest)").evaluate(
            "box => box.scrollWidth - box.clientWidth"), 0)

    def test_base_and_head_agree_with_the_change(self):
        for name in ["compare-sessions", "compare-regression"]:
            row = self.open(name).page.locator(".forest tbody tr").first
            base, head, change = [float(text.split()[0].replace("−", "-")) for text in row.locator("td.number").all_inner_texts()]
            self.assertAlmostEqual((head / base - 1) * 100, change, delta=0.3)

    def test_the_table_and_the_summary_have_the_same_numbers(self):
        for name in ["compare-sessions", "compare-regression"]:
            page = self.open(name).page
            cells = "rows => rows.map(row => [row.querySelector('th').title, ...[...row.querySelectorAll('td')].map(td => td.innerText)])"
            summary = [row[:1] + row[2:5] for row in page.locator(".forest tbody tr").evaluate_all(cells)]
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


class HistoryTests(PageTest):
    def test_the_history_says_whose_it_is_and_when(self):
        page = self.open("history").page
        self.assertEqual(page.locator(".verdict .muted").inner_text(), "app on builder, release")
        self.assertIn("Added (UTC)", page.locator("thead").last.inner_text())

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
        self.assertEqual([row.split("\t")[0].split(",")[0] for row in rows], ["Budget of p95", "Budget of ready", "⚑ Baseline main"])
        self.assertIn("? likely within", rows[0])
        self.assertIn("? likely over", rows[1])

    def test_the_picture_has_a_legend(self):
        self.assertEqual(self.open("history").page.locator(".card .legend li").all_inner_texts(),
                         ["median", "p10 to p90", "the change lies in here", "budget", "baseline"])

    def test_a_change_has_all_commits_that_may_have_made_it(self):
        opened = self.open("history")
        changes = json.loads(opened.page.locator("#page-data").text_content())["changes"]
        rows = opened.page.locator(".reasons li").all_inner_texts()
        self.assertEqual(len(rows), len(changes))
        for row, change in zip(rows, changes):
            commits = change["last"] - change["first"] + 1
            self.assertEqual(f"one of {commits} commits" in row, commits > 1, row)

    def test_the_table_has_the_beginnings_of_ids(self):
        page = self.open("history").page
        commit = page.locator("#table-commits tbody th").filter(has_text="dddd")
        self.assertEqual(commit.inner_text(), "d" * 12)
        self.assertEqual(commit.get_attribute("title"), "d" * 40)

    def test_search_says_what_the_commits_take(self):
        opened = self.open("history")
        opened.page.locator("#search").fill("dddd")
        opened.frame()
        median = opened.page.locator("#table-commits tbody tr td").first.inner_text()
        self.assertEqual(opened.page.locator("header output").inner_text(), f"1 match of 20 rows · {median}")
