import { describe, expect, test } from "vitest";
import { SEMANTIC_CHECKS } from "../../../core/audits/semantic/semantic-checks.ts";
import { runCheckOnPage, findingLines, type CheckCases } from "../run-check-on-page.ts";

const CASES: Readonly<Record<string, CheckCases>> = {
  one_h1: [
    ["with one", "<h1>Kettles</h1><h2>A</h2>", ["pass", "The page has one h1."]],
    ["with an image that names it", "<h1><img src=l.png alt=Acme></h1>", ["pass", "The page has one h1."]],
    [
      "with one that is seen",
      "<h1>Kettles</h1><h1 hidden>B</h1><template><h1>C</h1></template>",
      ["pass", "The page has one h1."],
    ],
    ["without one", "<h2>Kettles</h2><h1> </h1>", ["fail", "The page has no h1 with text."]],
    ["with two", "<h1>A</h1>\n<h1>B</h1>", ["warn", "The page has 2 h1.", "1: A", "2: B"]],
  ],
  heading_order: [
    ["in order", "<h1>A</h1><h2>B</h2><h3>C</h3><h2>D</h2>", ["pass", "4 headings skip no level."]],
    [
      "that goes back two levels",
      "<h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><h2>E</h2>",
      ["pass", "5 headings skip no level."],
    ],
    [
      "that jumps in a menu alone",
      "<nav><h2>A</h2><h6>B</h6></nav><main><h1>A</h1><h2>B</h2></main>",
      ["pass", "2 headings skip no level."],
    ],
    [
      "with one jump of many",
      "<h1>A</h1><h2>B</h2><h2>C</h2>\n<h4>D</h4>",
      ["warn", "1 of 4 headings skips a level.", "2: h4: D"],
    ],
    ["with many jumps", "<h1>A</h1><h3>B</h3>", ["fail", "1 of 2 headings skips a level.", "1: h3: B"]],
    ["with one heading", "<h1>A</h1>", ["skipped", "The main content has fewer than two headings."]],
  ],
  heading_text: [
    ["with text", "<h1>A</h1><h2><a href=/>B</a></h2>", ["pass", "2 headings have text."]],
    [
      "with ones that are drawn and have names",
      '<h1><svg role=img aria-label="Acme"><path d="M0 0"/></svg></h1><h2><a href=/ aria-label="Tea"><i></i></a></h2>',
      ["pass", "2 headings have text."],
    ],
    ["with an empty one", "<h1>A</h1>\n<h3>&nbsp;</h3>", ["warn", "1 of 2 headings has no text.", "2: <h3>"]],
    ["without headings", "<p>x", ["skipped", "The page has no headings."]],
  ],
  main_landmark: [
    ["with one", "<main><p>x</main>", ["pass", "One main element holds the main content."]],
    ["with its role", "<div role=main><p>x</div>", ["pass", "One main element holds the main content."]],
    [
      "with a second one that is hidden",
      "<main>x</main><main hidden>y</main>",
      ["pass", "One main element holds the main content."],
    ],
    ["with two", "<main>x</main>\n<main>y</main>", ["warn", "The page has 2 main elements.", "1: <main>", "2: <main>"]],
    [
      "with an article",
      "<article>x</article>",
      ["warn", "The page has no main element. An article element marks the main content."],
    ],
    ["without", "<div>x</div>", ["fail", "The page has no main element."]],
  ],
  table_headers: [
    ["with header cells", "<table><tr><th>A<th>B<tr><td>1<td>2</table>", ["pass", "1 table has header cells."]],
    [
      "without",
      "\n<table><tr><td>A<td>B<tr><td>1<td>2</table>",
      ["fail", "1 of 1 table has no header cells.", "2: table of 2 rows and 2 columns"],
    ],
    [
      "with one of two",
      "<table><tr><th>A<th>B<tr><td>1<td>2</table><table><tr><td>A<td>B<tr><td>1<td>2</table>",
      ["warn", "1 of 2 tables has no header cells.", "1: table of 2 rows and 2 columns"],
    ],
    [
      "with tables that lay out",
      "<table><tr><td>One cell</table><table role=presentation><tr><td>A<td>B<tr><td>C<td>D</table>",
      ["skipped", "The page has no tables of data."],
    ],
  ],
  tables_marked_up: [
    ["with a table", "<table><tr><td>A</table>", ["pass", "Tables are written as tables."]],
    [
      "with bars in a paragraph",
      "<p>Model | Litres | Price<br>K1 | 1 | 20<br>K2 | 2 | 30</p>",
      ["warn", "1 table is written as text.", "1: Model | Litres | Price"],
    ],
    [
      "with bars in paragraphs",
      "<p>Model | Litres | Price<p>K1 | 1 | 20<p>K2 | 2 | 30<p>Text",
      ["warn", "1 table is written as text.", "1: Model | Litres | Price"],
    ],
    [
      "with a table in code",
      "<pre>| A | B |\n|---|---|\n| 1 | 2 |</pre>",
      ["warn", "1 table is written as text.", "1: | A | B |"],
    ],
    [
      "with a line of links",
      "<p><a href=/a>A</a> | <a href=/b>B</a> | <a href=/c>C</a>",
      ["skipped", "The page has no tables, and no text that looks like one."],
    ],
    [
      "with bars in one line",
      "<p>Ann Lee | 1 May | 5 minutes<p>Text<p>More",
      ["skipped", "The page has no tables, and no text that looks like one."],
    ],
    [
      "with bars in code",
      "<pre>a || b || c\nd || e || f\ng || h || i</pre>",
      ["skipped", "The page has no tables, and no text that looks like one."],
    ],
  ],
  lists_marked_up: [
    ["with a list", "<ul><li>A<li>B</ul>", ["pass", "Lists are written as lists."]],
    [
      "with bullets after breaks",
      "<p>• Fill<br>• Boil<br>• Pour</p>",
      ["warn", "1 list is written as paragraphs with bullets or numbers.", "1: • Fill"],
    ],
    [
      "with numbers in paragraphs",
      "<p>Steps:<p>1. Fill\n<p>2. Boil<p>3. Pour<p>Done.",
      ["warn", "1 list is written as paragraphs with bullets or numbers.", "1: 1. Fill"],
    ],
    [
      "with Japanese points",
      "<p>・水を入れる<br>・沸かす<br>・注ぐ",
      ["warn", "1 list is written as paragraphs with bullets or numbers.", "1: ・水を入れる"],
    ],
    [
      "with numbers that do not count",
      "<p>1. FC won.<p>7. May was sunny.<p>9. June too.",
      ["skipped", "The main content has no lists, and no text that looks like one."],
    ],
    [
      "with a dialogue",
      "<p>— Bonjour.<p>— Salut.<p>— Ça va ?",
      ["skipped", "The main content has no lists, and no text that looks like one."],
    ],
    [
      "with two lines",
      "<p>- One<br>- Two",
      ["skipped", "The main content has no lists, and no text that looks like one."],
    ],
  ],
  dates_machine_readable: [
    [
      "with a time element",
      "<p>On <time datetime=2026-01-31>31 January</time>",
      ["pass", "Programs can read a date of the page."],
    ],
    [
      "with a meta",
      '<meta property="article:published_time" content="2026-01-31T10:00:00Z"><p>31 January 2026',
      ["pass", "Programs can read a date of the page."],
    ],
    [
      "with structured data",
      '<script type="application/ld+json">{"@graph":[{"dateModified":"2026-01-31"}]}</script>',
      ["pass", "Programs can read a date of the page."],
    ],
    [
      "with words alone",
      "<h1>A</h1>\n<p>Updated January 31, 2026",
      ["warn", "A date is shown that programs cannot read.", "2: Updated January 31, 2026"],
    ],
    [
      "with German words",
      "<p>Stand: 31. Januar 2026",
      ["warn", "A date is shown that programs cannot read.", "1: Stand: 31. Januar 2026"],
    ],
    [
      "with Japanese words",
      "<p>更新日：2026年1月31日",
      ["warn", "A date is shown that programs cannot read.", "1: 更新日：2026年1月31日"],
    ],
    [
      "with a time that is none",
      "<p><time>31 January 2026</time>",
      ["warn", "A date is shown that programs cannot read.", "1: 31 January 2026"],
    ],
    ["with a year", "<p>Founded in 1998.", ["skipped", "The page shows no date."]],
    ["with a day that is none", '<meta name=date content="2026-02-31">', ["skipped", "The page shows no date."]],
  ],
  image_alternatives: [
    [
      "with alternatives",
      '<img src=a.png alt="A kettle"><img src=b.png alt="">',
      ["pass", "2 images have alternative text."],
    ],
    ["without", "<img src=a.png>\n<img>", ["fail", "2 of 2 images have no alternative text.", "1: a.png", "2: <img>"]],
    [
      "with names of files",
      '<img src=a.png alt="IMG_01.jpg">',
      ["fail", "1 of 1 image has no alternative text.", "1: a.png"],
    ],
    [
      "with one of four without",
      `${"<img src=a.png alt=Kettle>".repeat(3)}<img src=b.png>`,
      ["warn", "1 of 4 images has no alternative text.", "1: b.png"],
    ],
    [
      "with pixels and decoration",
      "<img src=p.gif width=1 height=1><img src=d.png role=presentation><noscript><img src=n.png></noscript>",
      ["skipped", "The page shows no images that need alternative text."],
    ],
  ],
};

for (const [id, cases] of Object.entries(CASES))
  describe(`the check ${id}`, () => {
    test.for(cases)("a page %s", ([, html, found]) => {
      expect(findingLines(runCheckOnPage(SEMANTIC_CHECKS, id, html))).toEqual(found);
    });
  });
