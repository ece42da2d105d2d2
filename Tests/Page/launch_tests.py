# SPDX-License-Identifier: Apache-2.0
"""The page of one launch: its numbers, and its timeline."""

from page_test import PageTest, exact, milliseconds


def long_children(phase, total):
    return [row for child in phase.get("children", []) if child.get("overBudget") or child["duration"] >= total / 20
            for row in [child, *long_children(child, total)]]


class SummaryTests(PageTest):
    def test_the_numbers_are_those_of_the_json_report(self):
        for name in ["held", "sampled", "server", "interface"]:
            with self.subTest(name):
                launch = self.report(name)["launches"][0]
                page = self.open(name).page
                self.assertEqual(page.locator(".figure strong").get_attribute("title"), milliseconds(launch["total"]))
                shown = page.locator(".summary table").first.locator("tbody tr").evaluate_all(
                    "rows => rows.map(row => [row.querySelector('th button').innerText, row.querySelectorAll('td')[0].title])")
                beside = [phase for phase in launch["parallelPhases"]
                          if phase.get("overBudget") or phase["duration"] >= launch["total"] / 10]
                rows = [row for phase in launch["phases"] + beside for row in [phase, *long_children(phase, launch["total"])]]
                self.assertEqual(shown, [[row["id"], exact(row["duration"])] for row in rows])
                self.assertEqual(page.locator(".finding").count(), min(6, len(launch["findings"])))

    def test_what_comes_after_the_launch_has_no_share_of_it(self):
        cells = self.open("interface").page.locator(".summary tbody tr").evaluate_all(
            "rows => rows.map(row => [row.querySelector('th').innerText, row.querySelectorAll('td')[1].innerText])")
        self.assertEqual([name for name, share in cells if not share], ["extended after the launch"])

    def test_details_of_what_comes_after_the_launch_have_no_share_of_it(self):
        page = self.open("interface").page
        for name, has in [("main", True), ("extended", False)]:
            page.locator("#tab-summary").click()
            page.locator(".summary tbody button", has_text=name).first.click()
            self.assertEqual(page.locator("#view-timeline .panel h3").inner_text(), name)
            self.assertEqual("Share of the launch" in page.locator("#view-timeline .panel dt").all_inner_texts(), has, name)

    def test_labels_of_a_narrow_axis_do_not_overlap(self):
        for name in ["interface", "sampled", "held", "server"]:
            places = self.open(name, width=360).page.locator(".scale span").evaluate_all(
                """labels => labels.filter(label => getComputedStyle(label).fontSize !== '0px' && label.offsetWidth)
                .map(label => label.getBoundingClientRect()).map(({left, right}) => [left, right])""")
            self.assertGreater(len(places), 1, name)
            for (_, right), (left, _) in zip(places, places[1:]):
                self.assertLess(right, left, name)

    def test_the_verdict_says_over_or_within_budget(self):
        launch = self.report("server")["launches"][0]
        words = self.open("server").page.locator(".badge").first.inner_text()
        self.assertIn("over" if launch["total"] > launch["budget"] else "within", words)
        crash = self.open("crash").page
        self.assertEqual(crash.locator(".badge").first.inner_text(), "✕ killed by SIGSEGV")
        self.assertIn("until it failed", crash.locator(".figure").inner_text())

    def test_long_phases_inside_others_have_rows(self):
        launch = self.report("interface")["launches"][0]
        inner = self.open("interface").page.locator(".summary th.inner").all_inner_texts()
        self.assertEqual(inner, [child["id"] for phase in launch["phases"] for child in long_children(phase, launch["total"])])
        self.assertIn("state-restoration", inner)

    def test_only_launches_with_budgets_of_phases_have_a_column_for_them(self):
        for name in ["interface", "server", "crash"]:
            phases = self.report(name)["launches"][0]["phases"]
            has = any("budget" in row for phase in phases for row in [phase, *phase.get("children", [])])
            titles = self.open(name).page.locator(".summary thead th").all_inner_texts()
            self.assertEqual("Budget" in titles, has, name)

    def test_a_finding_without_a_time_shows_no_number(self):
        page = self.open("crash").page
        findings = {finding["id"]: finding["unit"] for finding in self.report("crash")["launches"][0]["findings"][:6]}
        self.assertIn("count", findings.values())
        shown = page.locator(".finding").evaluate_all(
            "all => all.map(one => [one.querySelector('small').innerText.split(' ')[0], one.querySelector('span').innerText])")
        for name, amount in shown:
            self.assertEqual(amount != "", findings[name] == "ns", name)

    def test_no_line_ends_inside_of_an_option(self):
        words = self.open("crash").page.locator(".findings .word")
        self.assertIn("-c", words.all_inner_texts())
        self.assertEqual(set(words.evaluate_all("all => all.map(one => getComputedStyle(one).whiteSpace)")), {"nowrap"})

    def test_a_trace_without_phases_shows_its_longest_intervals(self):
        page = self.open("foreign").page
        self.assertEqual(page.locator(".summary .axis").count(), 0)
        rows = page.locator(".summary tbody tr").evaluate_all(
            "rows => rows.map(row => [row.querySelector('th').innerText, row.querySelectorAll('td')[0].innerText])")
        self.assertEqual([time for _, time in rows], ["900 µs", "700 µs", "500 µs", "300 µs"])
        self.assertEqual(rows[0][0], "تحميل الإعدادات")
        self.assertRegex(rows[2][0], "^(a🎉)+a?…🎉?(a🎉)+$")
        page.locator(".summary tbody button").nth(1).click()
        self.assertEqual(page.locator("#view-timeline .panel h3").inner_text(), "データベース接続を開く")

    def test_what_the_reader_must_know_is_below_the_total(self):
        page = self.open("hostile").page
        launch = page.evaluate("JSON.parse(document.getElementById('launch-1').textContent)")
        self.assertEqual(page.locator("#view-summary .verdict .notes li").count(), len(launch["notes"]))
        self.assertEqual(self.open("folded").page.locator(".notes").count(), 0)

    def test_a_profile_without_times_has_none(self):
        page = self.open("folded").page
        self.assertEqual(page.locator("h1").inner_text(), "server.folded")
        self.assertEqual(page.locator(".figure strong").inner_text(), "185 samples")
        self.assertEqual(page.locator("[role=tab]").all_inner_texts(), ["Summary", "Flame graph", "Tables"])
        self.assertEqual(page.locator(".axis").count(), 0)
        # What its samples saw, with counts.
        functions = page.locator(".summary tbody tr").evaluate_all(
            "rows => rows.map(row => row.querySelectorAll('td')[0].innerText)")
        self.assertGreater(len(functions), 0)
        self.assertTrue(all(text.endswith("samples") or text.endswith("sample") for text in functions), functions)
        page.locator("#tab-tables").click()
        self.assertNotIn(" ns", page.locator("main").inner_text())

    def test_a_trace_of_no_length_has_no_scale(self):
        page = self.open("instant").page
        self.assertEqual(page.locator("h1").inner_text(), "instant.json")
        self.assertEqual(page.locator(".scale span").count(), 0)
        self.assertIn("only events without a duration", page.locator("#view-summary").inner_text())

    def test_the_phases_stay_in_their_card(self):
        page = self.open("held", width=400).page
        self.assertLessEqual(page.locator("#view-summary").evaluate("view => view.scrollWidth"), 400)

    def test_the_window_itself_does_not_scroll(self):
        for view in ["summary", "timeline", "flame", "tables"]:
            page = self.open("server", f"view={view}").page
            heights = page.evaluate("[document.documentElement.scrollHeight, innerHeight]")
            self.assertLessEqual(heights[0], heights[1], view)

    def test_search_dims_what_does_not_match(self):
        opened = self.open("held")
        opened.page.locator("#search").fill("templates")
        opened.frame()
        self.assertRegex(opened.page.locator("header output").inner_text(), r"^2 matches of \d+ rows( · .+)?$")
        self.assertEqual(opened.page.locator("tbody tr:not(.dimmed)").count(), 1)

    def test_the_worst_of_several_is_not_one_that_happened_several_times(self):
        findings = [finding for finding in self.report("held")["launches"][0]["findings"][:6] if finding["occurrences"] > 1]
        self.assertTrue(any(finding.get("others") for finding in findings))
        words = self.open("held").page.locator(".finding small").all_inner_texts()
        for finding in findings:
            more = f"+{finding['others']} more" if finding.get("others") else f"{finding['occurrences']} times"
            self.assertTrue(any(word.startswith(finding["id"]) and more in word for word in words), (more, words))

    def test_a_finding_goes_to_its_place(self):
        opened = self.open("held")
        finding = self.report("held")["launches"][0]["findings"][0]
        opened.page.locator(".finding").first.click()
        fragment = opened.fragment()
        self.assertEqual(fragment["view"], "timeline")
        start, end = (float(part) for part in fragment["t"].split("%7E"))
        self.assertTrue(start <= finding["start"] <= end, (fragment, finding["start"]))
        self.assertTrue(opened.page.locator("#view-timeline").is_visible())

    def test_the_panel_has_the_finding_that_was_clicked(self):
        opened = self.open("held")
        page = opened.page
        findings = self.report("held")["launches"][0]["findings"]
        self.assertGreater(len(findings), 1)

        def check(finding):
            panel = page.locator("#view-timeline .panel .found")
            self.assertIn(finding.get("title") or finding["subject"] or finding["id"], panel.locator("h3").inner_text())
            self.assertEqual(panel.locator("li").count(), len(finding.get("evidence", [])), finding)
        for place, finding in enumerate(findings):
            page.locator("#tab-summary").click()
            page.locator("button.finding").nth(place).click()
            check(finding)
            opened.frame()
            self.assertEqual(opened.fragment()["finding"], str(place))
        # Of a link, and of the table.
        url = page.evaluate("location.hash.slice(1)")
        page = self.open("held", url).page
        check(findings[-1])
        page.locator("#tab-tables").click()
        page.locator("#table-findings tbody button").nth(1).click()
        check(findings[1])
        # What is selected next has no finding of another place.
        page.locator("#view-timeline canvas.tracks").press("Escape")
        self.assertEqual(page.locator("#view-timeline .panel .found").count(), 0)

    def test_links_lead_to_tables(self):
        opened = self.open("sampled", "view=tables")
        page = opened.page
        titles = page.locator("#view-tables .table h2").evaluate_all("all => all.map(title => title.firstChild.textContent.trim())")
        self.assertEqual(page.locator("nav.tables button").all_inner_texts(), titles)
        page.locator("nav.tables button").last.click()
        opened.frame()
        focused = page.evaluate("document.activeElement.closest('.table').querySelector('h2').firstChild.textContent.trim()")
        self.assertEqual(focused, titles[-1])


class TimelineTests(PageTest):
    def span(self, opened):
        text = opened.fragment().get("t")
        return tuple(float(part) for part in text.split("%7E")) if text else None

    def test_a_changed_url_is_followed(self):
        opened = self.open("server", "view=timeline&t=1000000~50000000")
        opened.page.evaluate("location.hash = 'view=timeline&t=2000000~30000000'")
        opened.frame()
        opened.page.locator("#view-timeline canvas.tracks").focus()
        opened.page.keyboard.press("d")
        self.assertGreater(float(opened.fragment()["t"].split("%7E")[0]), 2000000)
        opened.page.evaluate("location.hash = 'view=flame&order=heavy&inverted=1'")
        opened.frame()
        self.assertTrue(opened.page.locator("#inverted").is_checked())
        self.assertEqual(opened.page.locator("#choose-order").input_value(), "heavy")
        opened.page.evaluate("location.hash = 'view=flame'")
        opened.frame()
        self.assertEqual(opened.page.locator("#choose-order").input_value(), "time")

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

    def test_the_keys_work_as_soon_as_the_view_is_shown(self):
        opened = self.open("held")
        opened.page.locator("#tab-timeline").click()
        self.assertIsNone(self.span(opened))
        opened.page.keyboard.press("w")
        zoomed = self.span(opened)
        self.assertIsNotNone(zoomed)
        # Arrows select, and do not go to the next tab.
        opened.page.keyboard.press("ArrowRight")
        self.assertEqual(opened.fragment()["view"], "timeline")
        self.assertIn("sel", opened.fragment())
        # With the focus elsewhere, letters still work, except in the search.
        opened.page.locator("#tab-timeline").focus()
        opened.page.keyboard.press("0")
        self.assertIsNone(self.span(opened))
        opened.page.keyboard.press("/")
        opened.page.keyboard.type("w")
        self.assertIsNone(self.span(opened))

    def test_two_fingers_zoom_between_them(self):
        opened = self.open("server", "view=timeline", width=400)
        box = opened.page.locator("#view-timeline canvas.tracks").bounding_box()
        whole = opened.page.evaluate("document.querySelector('#view-timeline canvas.tracks').clientWidth")
        debugger = opened.page.context.new_cdp_session(opened.page)

        def touch(kind, *places):
            debugger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
                {"x": box["x"] + x, "y": box["y"] + 120, "id": place} for place, x in enumerate(places)]})
        touch("touchStart", 100)
        touch("touchStart", 100, 200)
        touch("touchMove", 50, 250)
        touch("touchMove", 50, 350)
        touch("touchEnd")
        zoomed = self.span(opened)
        # 300 pixels become 200, and the times below the fingers stay there.
        touch("touchStart", 50)
        touch("touchStart", 50, 350)
        touch("touchMove", 100, 300)
        touch("touchEnd")
        back = self.span(opened)
        sizes = [last - first for first, last in [zoomed, back]]
        self.assertAlmostEqual(sizes[1] / sizes[0], 1.5, delta=0.02)
        self.assertAlmostEqual(back[0] + sizes[1] * 100 / whole, zoomed[0] + sizes[0] * 50 / whole, delta=sizes[1] / 100)

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

    def test_back_returns_to_the_view_and_the_launch_before(self):
        opened = self.open("held")
        page = opened.page
        page.locator("button.finding").first.click()
        opened.frame()
        page.locator("#view-timeline canvas.tracks").press("w")
        page.locator("#view-timeline canvas.tracks").press("w")
        opened.frame()
        page.go_back()
        self.assertTrue(page.locator("#view-summary").is_visible(), "a zoom is no step")
        page.go_forward()
        self.assertTrue(page.locator("#view-timeline").is_visible())
        opened = self.open("series")
        opened.page.locator("circle.dot").first.click()
        opened.frame()
        number = opened.fragment()["launch"]
        opened.page.go_back()
        self.assertTrue(opened.page.locator("#view-launches").is_visible())
        opened.page.go_forward()
        opened.frame()
        self.assertEqual(opened.fragment()["launch"], number)
        self.assertTrue(opened.page.locator("#view-summary").is_visible())

    def test_a_finding_leads_the_focus_to_its_place(self):
        opened = self.open("held")
        opened.page.locator("button.finding").first.focus()
        opened.page.keyboard.press("Enter")
        opened.frame()
        self.assertEqual(opened.page.evaluate("document.activeElement.className"), "tracks")

    def test_a_link_shows_what_is_selected_far_down(self):
        opened = self.open("crowd", "view=timeline", height=300)
        canvas = opened.page.locator("#view-timeline canvas.tracks")
        canvas.press("ArrowRight")
        for _ in range(30):
            canvas.press("ArrowDown")
        opened.frame()
        url, pixels = opened.page.evaluate("location.hash.slice(1)"), opened.pixels("#view-timeline canvas.tracks")
        self.assertNotEqual(pixels, self.open("crowd", "view=timeline", height=300).pixels("#view-timeline canvas.tracks"))
        again = self.open("crowd", url, height=300)
        self.assertEqual(again.pixels("#view-timeline canvas.tracks"), pixels)

    def test_the_critical_path_is_lit(self):
        opened = self.open("held", "view=timeline")
        before = opened.pixels("#view-timeline canvas.tracks")
        opened.page.locator("#critical").check()
        self.assertNotEqual(opened.pixels("#view-timeline canvas.tracks"), before)
        self.assertEqual(opened.fragment()["critical"], "1")

    def test_samples_can_be_hidden(self):
        opened = self.open("sampled", "view=timeline", height=300)
        page, canvas = opened.page, opened.page.locator("#view-timeline canvas.tracks")
        before = opened.pixels("#view-timeline canvas.tracks")
        canvas.press("f")
        opened.frame()
        folded = opened.fragment()["fold"]
        hidden = opened.pixels("#view-timeline canvas.tracks")
        self.assertNotEqual(hidden, before)
        # A link keeps it. A match among them is shown again.
        again = self.open("sampled", page.evaluate("location.hash.slice(1)"), height=300)
        self.assertEqual(again.pixels("#view-timeline canvas.tracks"), hidden)
        again.page.locator("#search").fill(max(self.report("sampled")["launches"][0]["samples"], key=lambda row: row["self"])["name"])
        again.page.locator("#search").press("Enter")
        again.frame()
        self.assertNotEqual(again.fragment().get("fold"), folded)
        page.locator("#view-timeline canvas.tracks").press("f")
        self.assertEqual(opened.pixels("#view-timeline canvas.tracks"), before)

    def test_tracks_below_the_window_are_counted_and_reached(self):
        opened = self.open("crowd", "view=timeline", height=300)
        below = opened.page.locator("#view-timeline .below")
        counts = [int(below.inner_text().split()[0])]
        self.assertGreater(counts[0], 10)
        while below.is_visible():
            below.click()
            opened.frame()
            counts.append(int(below.inner_text().split()[0]) if below.is_visible() else 0)
            self.assertLess(counts[-1], counts[-2])
        # Where there is room for all of them, there is no button.
        self.assertFalse(self.open("server", "view=timeline", height=2000).page.locator(".below").is_visible())

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

    def test_every_view_has_the_same_time_of_a_search(self):
        rows = self.report("sampled")["launches"][0]["samples"]
        name = max(rows, key=lambda row: row["self"])["name"]
        page = self.open("sampled").page
        page.locator("#search").fill(name)

        def held(view):
            page.locator(f"#tab-{view}").click()
            return page.locator("header output").inner_text().split(" · ")[1:]
        expected = held("tables")
        self.assertEqual(len(expected), 1)
        self.assertEqual(held("timeline"), expected)
        self.assertEqual(held("flame")[0].split(" (")[0], expected[0], "at first, it shows both")
        page.locator("#choose-flame").select_option("samples")
        self.assertEqual(held("flame")[0].split(" (")[0], expected[0])
        page.locator("#choose-flame").select_option("spans")
        self.assertEqual(held("flame"), [], "it shows intervals")

    def test_a_search_in_the_timeline_finds_phases(self):
        opened = self.open("sampled", "view=timeline")
        phases = self.report("sampled")["launches"][0]["phases"]
        derived = next(phase for phase in phases if phase["id"] == "main")
        opened.page.locator("#search").fill("main")
        opened.page.locator("#search").press("Enter")
        opened.frame()
        self.assertEqual(opened.page.locator("#view-timeline .panel h3").inner_text(), "main")
        self.assertIn(exact(derived["duration"]), opened.page.locator("#view-timeline .panel dl").inner_text())

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
