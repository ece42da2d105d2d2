# SPDX-License-Identifier: Apache-2.0
"""The flame graph and the tables of a launch."""

from page_test import PageTest, milliseconds


class FlameTests(PageTest):
    def test_all_ways_to_look_at_it(self):
        seen = set()
        for source in ["spans", "samples", "merged"]:
            for more in ["", "&order=heavy", "&inverted=1", "&color=module"]:
                opened = self.open("sampled", f"view=flame&flame={source}{more}")
                pixels = opened.pixels("#view-flame canvas.tracks")
                self.assertGreater(pixels[1], 4, source + more)
                seen.add(pixels[0])
                self.doCleanups()
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

    def test_functions_in_the_summary_say_what_they_are_parts_of(self):
        part = self.open("sampled").page.locator(".summary .part")
        self.assertEqual(part.locator("thead th").all_inner_texts(), ["Function", "Self", "Of samples", "Library"])
        # Samples of two threads take longer than the launch.
        self.assertEqual(part.locator("p").inner_text(), "100 % is all samples: 121 ms.")

    def test_intervals_and_samples_come_first(self):
        for name, first in [("sampled", "merged"), ("server", "spans"), ("folded", "samples")]:
            page = self.open(name, "view=flame").page
            self.assertEqual(page.locator("#choose-flame").input_value(), first, name)
            times = page.locator(".fill > .legend b").all_inner_texts()
            self.assertNotIn("0 ns", times)

    def test_the_legend_has_no_colour_twice(self):
        for name in ["sampled", "attack"]:
            colors = self.open(name, "view=flame&flame=samples").page.locator(".fill > .legend i").evaluate_all(
                "swatches => swatches.map(swatch => getComputedStyle(swatch).backgroundColor)")
            self.assertGreater(len(colors), 0)
            self.assertEqual(len(set(colors)), len(colors), name)

    def test_the_legend_has_every_colour_of_the_boxes(self):
        for source in ["merged", "samples"]:
            opened = self.open("sampled", f"view=flame&flame={source}")
            opened.frame()
            drawn, legend = opened.page.locator("#view-flame canvas").evaluate(
                """canvas => { const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                const hex = part => part.toString(16).padStart(2, '0'); const found = new Set();
                for (let i = 0; i < data.length; i += 4) found.add('#' + hex(data[i]) + hex(data[i + 1]) + hex(data[i + 2]));
                const style = getComputedStyle(document.documentElement);
                const hues = [...Array(8).keys()].map(place => `--hue-${place}`);
                const swatches = [...document.querySelectorAll('.fill > .legend i')].map(swatch => swatch.getAttribute('style'));
                return [hues.filter(hue => found.has(style.getPropertyValue(hue).trim())), swatches.join()]; }""")
            self.assertGreater(len(drawn), 0)
            self.assertEqual([hue for hue in drawn if hue not in legend], [], source)

    def test_samples_are_no_calls(self):
        for source, name in [("samples", "Samples"), ("spans", "Calls")]:
            opened = self.open("sampled", f"view=flame&flame={source}")
            opened.page.locator("#view-flame canvas.tracks").focus()
            for key in ["ArrowDown", "ArrowRight", "ArrowDown", "ArrowDown"]:
                opened.page.keyboard.press(key)
            names = opened.page.locator("#view-flame .panel dt").all_inner_texts()
            self.assertEqual([shown for shown in names if shown in ["Samples", "Calls"]], [name], source)

    def test_a_drag_scrolls_and_selects_nothing(self):
        opened = self.open("sampled", "view=flame&flame=samples", height=300)
        before = opened.pixels("#view-flame canvas.tracks")
        box = opened.page.locator("#view-flame canvas.tracks").bounding_box()
        opened.page.mouse.move(box["x"] + 50, box["y"] + 60)
        opened.page.mouse.down()
        opened.page.mouse.move(box["x"] + 50, box["y"] + 20)
        opened.page.mouse.up()
        self.assertNotEqual(opened.pixels("#view-flame canvas.tracks"), before)
        self.assertEqual(opened.page.locator("#view-flame .panel h3").count(), 0)
        opened.page.mouse.click(box["x"] + 50, box["y"] + 20)
        self.assertEqual(opened.page.locator("#view-flame .panel h3").count(), 1)

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

    def test_the_url_keeps_the_zoom_while_another_view_is_shown(self):
        opened = self.open("sampled", "view=flame&flame=samples&root=1")
        for view in ["tables", "flame"]:
            opened.page.locator(f"#tab-{view}").click()
            self.assertEqual(opened.fragment()["root"], "1")

    def test_the_url_keeps_what_is_selected(self):
        for name, fragment in [("sampled", "view=flame&flame=samples"), ("compare-regression", "view=flame")]:
            opened = self.open(name, fragment)
            for key in ["ArrowDown", "ArrowDown"]:
                opened.page.locator("#view-flame canvas.tracks").press(key)
            again = self.open(name, f"{fragment}&box={opened.fragment()['box']}")
            self.assertEqual(again.page.locator("#view-flame .panel").inner_text(), opened.page.locator("#view-flame .panel").inner_text())
            self.assertEqual(again.pixels("#view-flame canvas.tracks")[0], opened.pixels("#view-flame canvas.tracks")[0])
            opened.page.locator("#view-flame canvas.tracks").press("Escape")
            self.assertNotIn("box", opened.fragment())
        opened = self.open("sampled", "view=flame&box=2")
        opened.page.locator("#choose-order").select_option("heavy")
        self.assertNotIn("box", opened.fragment())


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

    def test_facts_have_units(self):
        opened = self.open("held", "view=tables")
        opened.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        table = opened.page.locator("#table-facts")
        total = self.report("held")["launches"][0]["total"]
        self.assertEqual(table.locator("tr:has(th:text-is('Total')) td").inner_text(), milliseconds(total))
        table.locator(".tool").click()
        self.assertIn(f"Total (ns),{total}", opened.page.evaluate("navigator.clipboard.readText()").split("\r\n"))

    def test_rows_are_copied_as_csv(self):
        opened = self.open("attack", "view=tables")
        opened.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        opened.page.locator("#table-intervals .tool").click()
        text = opened.page.evaluate("navigator.clipboard.readText()")
        lines = text.split("\r\n")
        self.assertTrue(lines[0].startswith("Path,Total (ns),Self (ns)"))
        opened.page.locator("#table-findings .tool").click()
        text = opened.page.evaluate("navigator.clipboard.readText()")
        self.assertNotIn("\u202e", text)
        self.assertIn("'=cmd()", text)
