import { type Draft, TABLE } from "./draft.ts";
import { createKind, setHeading, type FaultKind } from "./kind.ts";
import { longSentence, sentence, sentences, fillerWords, type Draw } from "./text.ts";

const add = (html: string) => (draft: Draft) => void draft.more.push(html);

const HEADINGS: readonly FaultKind[] = [
  createKind("no_h1", { parts: "h1", finds: { one_h1: "fail" } }, [
    (draft) => void (draft.h1 = '<p class="h1">The Acme kettle</p>'),
    (draft) => void (draft.h1 = '<h1><img src="/logo.svg" alt="The Acme kettle"></h1>'),
  ]),
  createKind("two_h1", { parts: "h1", finds: { one_h1: "warn" } }, [
    (draft) => void (draft.h1 += "<h1>The Acme kettle</h1>"),
    (draft) => void (draft.h1 += "<h1 hidden>The Acme kettle</h1><template><h1>Acme</h1></template>"),
  ]),
  createKind("one_level_skipped", { parts: "headings", finds: { heading_order: "warn" } }, [
    (draft) => setHeading(draft, 3, { level: 4 }),
    (draft) => [1, 3].forEach((at) => setHeading(draft, at, { level: 3 })),
  ]),
  createKind("levels_skipped", { parts: "headings", finds: { heading_order: "fail" } }, [
    (draft) => [1, 3].forEach((at) => setHeading(draft, at, { level: 4 })),
    (draft) => void draft.outside.push("<aside><h2>More</h2><h5>Tea</h5><h2>Cups</h2><h6>Milk</h6></aside>"),
  ]),
  createKind("empty_heading", { parts: "headings", finds: { heading_text: "warn" } }, [
    add("<h2> </h2>"),
    add('<h2><img src="/seal.png" alt="The seal of the guild"></h2>'),
  ]),
];

const image = (attributes: string) => `<img src="/kettle-photo" ${attributes}>`;
const SEEN = image('alt="A kettle on a table"');
const typed = (lines: readonly string[]) => lines.map((line) => `<p>${line}</p>`).join("\n");
const BARE = "<table><tr><td>Wall</td><td>firm</td></tr><tr><td>Lid</td><td>tight</td></tr></table>";

const HEADED = BARE.replaceAll(/<tr><td>(\w+)<\/td>/g, '<tr><th scope="row">$1</th>');
const LIST = "<ul><li>the can</li><li>the lid</li><li>the filter</li></ul>";

const PARTS: readonly FaultKind[] = [
  createKind("images_unnamed", { parts: "images", finds: { image_alternatives: "fail" } }, [
    add(image("") + image('alt="IMG_2031.jpg"') + SEEN),
    add(image('alt=""') + image('role="presentation"') + SEEN),
    add(SEEN),
  ]),
  createKind("one_image_unnamed", { parts: "images", finds: { image_alternatives: "warn" } }, [
    add(SEEN.repeat(4) + image("")),
    add(SEEN.repeat(4) + image('aria-hidden="true"')),
    add(SEEN.repeat(5)),
  ]),
  createKind(
    "bare_table",
    { on: ["article", "product", "documentation", "other"], parts: "tables", finds: { table_headers: "fail" } },
    [add(BARE), add(BARE.replace("<table", '<table role="presentation"')), add(HEADED)],
  ),
  createKind("one_bare_table", { on: ["comparison"], parts: "tables", finds: { table_headers: "warn" } }, [
    add(BARE),
    add(HEADED),
  ]),
  createKind("typed_table", { parts: "tables", finds: { tables_marked_up: "warn" } }, [
    add("<p>Part | Wall | Lid<br>Steel | firm | tight<br>Glass | clear | loose</p>"),
    add(
      "<p>Part | Wall<br>Steel | firm<br>Glass | clear</p><pre>cat cups | sort | uniq\ncat cans | sort | uniq\nls | wc | cut</pre>",
    ),
    add(HEADED),
  ]),
  createKind("typed_list", { parts: "lists", finds: { lists_marked_up: "warn" } }, [
    add(typed(["• the can", "• the lid", "• the filter"])),
    add(typed(["• the can", "• the lid", "and the filter"])),
    add(LIST),
  ]),
  createKind("typed_steps", { parts: "lists", finds: { lists_marked_up: "warn" } }, [
    add("<p>1. Fill the can.<br>2. Shut the lid.<br>3. Wait.</p>"),
    add("<ol><li>1. Fill the can.</li><li>2. Shut the lid.</li><li>3. Wait.</li></ol>"),
    add(LIST),
  ]),
  createKind("date_as_text", { on: ["other"], parts: "date", finds: { dates_machine_readable: "warn" } }, [
    add("<p>Last changed on 12 October 2026.</p>"),
    add('<p>Last changed on <time datetime="2026-10-12">12 October 2026</time>. Since 1994.</p>'),
    add('<p>Last changed on <time datetime="2026-10-12">12 October 2026</time>.</p>'),
  ]),
  createKind("no_main", { parts: "main", finds: { main_landmark: "fail" } }, [
    (draft) => void (draft.main = ["<div>", "</div>"]),
    (draft) => void (draft.main = ['<div role="main">', "</div>"]),
  ]),
  createKind("article_for_main", { parts: "main", finds: { main_landmark: "warn" } }, [
    (draft) => void (draft.main = ["<article>", "</article>"]),
    (draft) => void (draft.main = ["<main><article>", "</article></main>"]),
  ]),
  createKind("two_mains", { parts: "main", finds: { main_landmark: "warn" } }, [
    (draft) => void draft.outside.push("<main><p>And so on.</p></main>"),
    (draft) => void draft.outside.push("<main hidden><p>And so on.</p></main>"),
  ]),
];

const TELLING: Draft["type"][] = ["article", "product", "comparison", "documentation", "other"];
const lead = (make: (draw: Draw) => string) => (draft: Draft, draw: Draw) => void (draft.lead = `<p>${make(draw)}</p>`);
const DEFINES = "The Acme kettle is a steel can for tea that keeps the water warm on the table.";
const teasers = (count: number) => (draft: Draft, draw: Draw) =>
  void (draft.before = `<ul>${Array.from({ length: count }, () => `<li>${fillerWords(draw, 7)}</li>`).join("")}</ul>`);

const LEADS: readonly FaultKind[] = [
  createKind("announces", { on: TELLING, parts: "lead", finds: { answer_first: "warn" } }, [
    lead((draw) => `In this guide you read all of it. ${DEFINES} ${sentence(draw)}`),
    lead((draw) => `In this kettle of Acme the water is warm for hours. ${DEFINES} ${sentence(draw)}`),
  ]),
  createKind("asks", { on: TELLING, parts: "lead", finds: { answer_first: "warn" } }, [
    lead((draw) => `Do you want warm tea at noon? ${DEFINES} ${sentence(draw)}`),
    lead((draw) => `${DEFINES} Do you want warm tea at noon? ${sentence(draw)}`),
  ]),
  createKind("refers", { on: TELLING, parts: "lead", finds: { answer_first: "warn" } }, [
    lead((draw) => `They made it in the workshop of Acme. ${DEFINES} ${sentence(draw)}`),
    lead((draw) => `It is important to dry the lid. ${DEFINES} ${sentence(draw)}`),
  ]),
  createKind("teases", { on: TELLING, parts: "before lists", finds: { answer_first: "warn" } }, [
    teasers(10),
    teasers(5),
  ]),
  createKind("begins_long", { on: TELLING, parts: "lead", finds: { answer_first: "warn" } }, [
    lead((draw) => `The Acme kettle is a can, and ${longSentence(draw)} ${sentences(draw, 3)}`),
    lead((draw) => `${DEFINES} ${longSentence(draw)} ${sentences(draw, 2)}`),
  ]),
  createKind(
    "defines_nothing",
    { on: ["product", "documentation"], parts: "lead sections", finds: { definition_first: "warn" } },
    [
      lead((draw) => `Acme makes kettles for tea. ${sentences(draw, 2)}`),
      (draft, draw) => {
        lead((one) => `Acme makes kettles for tea. ${sentences(one, 2)}`)(draft, draw);
        setHeading(draft, 0, { html: `<p>${sentences(draw, 4)} The kettle is a can for tea.</p>` });
      },
    ],
  ),
];

const plain = (draft: Draft) =>
  draft.sections.forEach((_, at) =>
    setHeading(draft, at, { heading: ["The can", "The lid", "The filter", "Use", "Care"][at] ?? "" }),
  );
const open = (draft: Draft, places: readonly number[], html: (draw: Draw) => string, draw: Draw) =>
  places.forEach((at) => setHeading(draft, at, { html: `<p>${html(draw)} ${sentences(draw, 4)}</p>` }));
const unnamed = (draft: Draft) => {
  draft.h1 = "<h1>The kettle for tea in the morning</h1>";
  draft.lead = draft.lead.replaceAll("Acme", "travel");
  draft.figures = draft.figures.replaceAll("Acme", "The shop");
};

const PASSAGES: readonly FaultKind[] = [
  createKind(
    "asks_nowhere",
    { on: ["article", "comparison", "documentation"], parts: "headings", finds: { question_headings: "warn" } },
    [
      plain,
      (draft) => {
        plain(draft);
        setHeading(draft, 4, { heading: "How to clean the can" });
      },
    ],
  ),
  createKind("no_sections", { on: TELLING, parts: "headings sections", finds: { extractable_passages: "fail" } }, [
    (draft) => draft.sections.forEach((_, at) => setHeading(draft, at, { heading: "" })),
    (draft) => [0, 1, 3].forEach((at) => setHeading(draft, at, { heading: "" })),
  ]),
  createKind("wall_of_text", { on: TELLING, parts: "sections", finds: { extractable_passages: "warn" } }, [
    (draft, draw) => setHeading(draft, 1, { html: `<p>${fillerWords(draw, 151)}</p>` }),
    (draft, draw) => setHeading(draft, 1, { html: `<p>${fillerWords(draw, 150)}</p>` }),
  ]),
  createKind("one_unclear_section", { parts: "sections", finds: { entity_clarity: "warn" } }, [
    (draft, draw) => open(draft, [2], () => "It holds the leaves.", draw),
    (draft, draw) => open(draft, [2], () => "It takes a minute to fill.", draw),
  ]),
  createKind("unclear_sections", { parts: "sections", finds: { entity_clarity: "fail" } }, [
    (draft, draw) => open(draft, [0, 2, 4], () => "This holds the leaves.", draw),
    (draft, draw) => open(draft, [0, 2, 4], () => "This kettle of Acme holds the leaves.", draw),
  ]),
  createKind("no_name", { on: ["article", "other"], parts: "h1 lead figures", finds: { entity_clarity: "warn" } }, [
    unnamed,
    (draft) => {
      unnamed(draft);
      draft.h1 = "<h1>ACME: the kettle for tea</h1>";
    },
  ]),
  createKind(
    "no_name_of_product",
    { on: ["product", "documentation"], parts: "h1 lead figures", finds: { entity_clarity: "fail" } },
    [
      unnamed,
      (draft) => {
        unnamed(draft);
        draft.figures = draft.figures.replace("The shop", "Acme's shop");
      },
    ],
  ),
  createKind("repeats_one", { parts: "sections", finds: { no_repeated_paragraphs: "warn" } }, [
    (draft) => void draft.more.push(draft.sections[1]?.html ?? ""),
    (draft) => void draft.more.push((draft.sections[1]?.html ?? "").replace("<p>", "<p hidden>")),
  ]),
  createKind("repeats_much", { parts: "sections", finds: { no_repeated_paragraphs: "fail" } }, [
    (draft) => [2, 3, 4].forEach((at) => setHeading(draft, at, { html: draft.sections[1]?.html ?? "" })),
    (draft) => void draft.more.push("<p>Fill the can and shut the lid.</p>".repeat(3)),
  ]),
  createKind("long_sentences", { parts: "sections lead", finds: { readability: "fail" } }, [
    (draft, draw) =>
      draft.sections.forEach((_, at) =>
        setHeading(draft, at, { html: `<p>${longSentence(draw)} ${longSentence(draw)}</p>` }),
      ),
    (draft, draw) => setHeading(draft, 3, { html: `<p>${longSentence(draw)} ${sentence(draw)}</p>` }),
  ]),
  createKind("no_table", { on: ["comparison"], parts: "tables", finds: { comparison_table: "fail" } }, [
    (draft) => void (draft.table = ""),
    (draft) =>
      void (draft.table = TABLE.replaceAll(/<caption>.*?<\/caption>/g, "").replace("<table", "<table class=wide")),
  ]),
  createKind("flat_table", { on: ["comparison"], parts: "tables", finds: { comparison_table: "warn" } }, [
    (draft) => void (draft.table = TABLE.replace(/<tr><td>Lid.*<\/tr>(?=<\/table>)/, "")),
    (draft) =>
      void (draft.table = TABLE.replaceAll(/<tr><td>(\w+)<\/td>/g, '<tr><th scope="row">$1</th>').replace(
        /<tr><th>What.*?<\/tr>/,
        "<tr><td></td><td>Steel</td><td>Glass</td></tr>",
      )),
  ]),
  createKind("thin_list", { on: ["category"], parts: "all", finds: { enough_text: "warn" } }, [
    (draft, draw) => {
      const none = { sections: [], figures: "", h1: "<h1>Acme kettles</h1>" };
      Object.assign(draft, none, { lead: `<p>The Acme kettle. ${fillerWords(draw, 44)}</p>` });
    },
    (draft, draw) => {
      const none = { sections: [], figures: "", h1: "<h1>Acme kettles</h1>" };
      Object.assign(draft, none, { lead: `<p>The Acme kettle. ${fillerWords(draw, 45)}</p>` });
    },
  ]),
  createKind("empty_list", { on: ["category"], parts: "all", finds: { enough_text: "fail" } }, [
    (draft) => void Object.assign(draft, { sections: [], figures: "", lead: "", h1: "<h1>Acme kettles</h1>" }),
    (draft, draw) =>
      void Object.assign(draft, {
        sections: [],
        figures: "",
        lead: `<ul>${[1, 2, 3, 4, 5, 6].map((at) => `<li><a href="/products/kettle-${at}">${fillerWords(draw, 8)}</a></li>`).join("")}</ul>`,
        h1: "<h1>Acme kettles</h1>",
      }),
  ]),
];

export const BODY_KINDS = [...HEADINGS, ...PARTS, ...LEADS, ...PASSAGES];
