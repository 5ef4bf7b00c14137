import { expect, test } from "vitest";
import { parsePage } from "../../core/audits/parse-page.ts";
import { MAX_LIST_ENTRIES } from "../../core/audits/parsed-page.ts";

const textsOf = (entries: readonly { text: string }[]) => entries.map(({ text }) => text);
const mainOf = (html: string) => {
  const { mainBy, blocks, headings } = parsePage(html);
  const inMain = [...headings, ...blocks]
    .filter(({ isInMain }) => isInMain)
    .toSorted((one, other) => one.offset - other.offset);
  return { mainBy, main: textsOf(inMain) };
};
const SENTENCE = "The kettle boils a litre of water in three minutes and switches itself off. ";

test("extracts facts of a page with offsets", () => {
  const html = `<!doctype html><html lang="en"><title>Salt &amp; Pepper</title>
<meta name=Description content="Two mills"><meta property="og:type" content="article"><base href="/en/">
<link rel="Alternate Next" hreflang=de type="text/html" href=" /de ">
<main><h1>Mills <em>compared</em></h1>
<p>By <a rel="author nofollow" href=/ann>Ann Lee</a> on <time datetime="2024-03-01">1 March</time></p>
<table><caption>Sizes</caption><tr><th>Mill<th colspan=2>Size<tr><td>A<td>1<td>2</table>
<ol><li>Fill<li>Grind</ol><figure><blockquote>Good mills last.</blockquote><figcaption>Max Roe</figcaption></figure>
<img src=a.png><img src=b.png alt=""><img src=p.gif width=1 height=1></main>`;
  const { lineOf, ...page } = parsePage(html);
  const at = (text: string) => html.indexOf(text);
  const inMain = { isInMain: true };
  const block = { heading: 0, linked: 0, isInMain: true };
  expect(page).toEqual({
    language: "en",
    baseHref: "/en/",
    titles: [{ text: "Salt & Pepper", offset: at("<title") }],
    metas: [
      { name: "description", content: "Two mills", offset: at("<meta name") },
      { name: "og:type", content: "article", offset: at("<meta prop") },
    ],
    links: [{ rel: ["alternate", "next"], href: "/de", hreflang: "de", type: "text/html", offset: at("<link") }],
    headings: [{ level: 1, text: "Mills compared", offset: at("<h1"), ...inMain }],
    blocks: [
      {
        kind: "paragraph",
        text: "By Ann Lee on 1 March",
        offset: at("By <a"),
        wordCount: 6,
        ...block,
        linked: 7 / 21,
      },
      { kind: "caption", text: "Sizes", offset: at("Sizes"), wordCount: 1, ...block },
      { kind: "cell", text: "Mill", offset: at("Mill<th"), wordCount: 1, ...block },
      { kind: "cell", text: "Size", offset: at("Size<tr"), wordCount: 1, ...block },
      { kind: "cell", text: "A", offset: at("A<td"), wordCount: 1, ...block },
      { kind: "cell", text: "1", offset: at("1<td>"), wordCount: 1, ...block },
      { kind: "cell", text: "2", offset: at("2</table"), wordCount: 1, ...block },
      { kind: "list_item", text: "Fill", offset: at("Fill"), wordCount: 1, ...block },
      { kind: "list_item", text: "Grind", offset: at("Grind"), wordCount: 1, ...block },
      { kind: "quote", text: "Good mills last.", offset: at("Good"), wordCount: 3, ...block },
      { kind: "caption", text: "Max Roe", offset: at("Max Roe"), wordCount: 2, ...block },
    ],
    anchors: [{ href: "/ann", text: "Ann Lee", rel: ["author", "nofollow"], offset: at("<a "), ...inMain }],
    images: [
      { src: "a.png", alt: null, isDecoration: false, offset: at("<img src=a"), ...inMain },
      { src: "b.png", alt: "", isDecoration: false, offset: at("<img src=b"), ...inMain },
      { src: "p.gif", alt: null, isDecoration: true, offset: at("<img src=p"), ...inMain },
    ],
    tables: [
      {
        rowCount: 2,
        columnCount: 3,
        hasHeader: true,
        hasCaption: true,
        isLayout: false,
        offset: at("<table"),
        ...inMain,
      },
    ],
    lists: [{ isOrdered: true, itemCount: 2, offset: at("<ol"), ...inMain }],
    times: [{ datetime: "2024-03-01", text: "1 March", offset: at("<time") }],
    quotes: [
      { text: "Good mills last.", isInline: false, attribution: "Max Roe", offset: at("<blockquote"), ...inMain },
    ],
    bylines: [{ text: "Ann Lee", offset: at("<a ") }],
    landmarks: [{ kind: "main", offset: at("<main") }],
    jsonLd: [],
    microdata: [],
    scriptCount: 0,
    elementCount: 30,
    wordCount: 21,
    mainWordCount: 21,
    mainBy: "main",
    isLikelyAppShell: false,
    isCut: false,
  });
  expect([lineOf(0), lineOf(at("<meta")), lineOf(at("<img"))]).toEqual([1, 2, 8]);
});

test("ignores text that readers do not see", () => {
  const html = `<script>a("<p>script</p>")</script><style>p{}</style><template><p>template</template><noscript><p>noscript</div></noscript>
<p hidden>hidden<p aria-hidden=true>aria<svg><title>svg</title><text>drawn</text></svg><select><option>choice</select>
<textarea>field</textarea><dialog>closed</dialog><p hidden=until-found>found<p>seen<iframe><p>frame</p></iframe>`;
  const page = parsePage(html);
  expect([textsOf(page.blocks), page.titles, page.scriptCount]).toEqual([["found", "seen"], [], 1]);
});

test("keeps lines of a paragraph, splits at two breaks, and keeps white space of code", () => {
  const { blocks } = parsePage("<p>one\n two<br>three<br>\n<br>four</p><pre>a\n  b</pre>");
  expect(blocks.map(({ kind, text }) => [kind, text])).toEqual([
    ["paragraph", "one two\nthree"],
    ["paragraph", "four"],
    ["code", "a\n  b"],
  ]);
});

test("headings include the text of images, and empty headings are listed", () => {
  const { headings } = parsePage("<h1><img src=l.svg alt=Acme></h1><h2> </h2><h3>A<br>b <div>c</div></h3>");
  expect(headings.map(({ level, text }) => [level, text])).toEqual([
    [1, "Acme"],
    [2, ""],
    [3, "A b c"],
  ]);
});

test("the main content is the landmark, without navigation and asides", () => {
  const html = `<header><h1>Shop</h1></header><nav>Menu</nav><main><header><h1>Kettle</h1></header><nav>Crumbs</nav>
<p>Boils.</p><aside>Ad</aside><blockquote>Fine<footer>Ann</footer></blockquote><footer>Share</footer></main><p>Cookies</p>`;
  expect(mainOf(html)).toEqual({ mainBy: "main", main: ["Kettle", "Boils.", "Fine", "Ann"] });
  const role = `<div role=banner>Shop</div><div role=main><p>Boils.</p></div><div role=contentinfo>Foot</div>`;
  expect(mainOf(role)).toEqual({ mainBy: "main", main: ["Boils."] });
});

test("without the landmark, the article is the main content, unless several share the page", () => {
  expect(mainOf(`<div>Menu</div><article><h1>Kettle</h1><p>${SENTENCE}</article><div>Foot</div>`)).toEqual({
    mainBy: "article",
    main: ["Kettle", SENTENCE.trim()],
  });
  const teasers = "<article><p>One tea</article><article><p>Two teas</article><article><p>Three teas</article>";
  expect(mainOf(`<p>Teas</p>${teasers}`)).toEqual({
    mainBy: "body",
    main: ["Teas", "One tea", "Two teas", "Three teas"],
  });
});

test("without landmarks, the main content is the innermost part with most of the text outside links, plus the title", () => {
  const menu = `<div id=menu>${"<a href=/x>Some kettle or other</a> ".repeat(60)}</div>`;
  const html = `<body>${menu}<div><div class=col><h1>Kettle</h1><div>${`<p>${SENTENCE}</p>`.repeat(5)}</div></div><div>Related</div></div></body>`;
  const { mainBy, main } = mainOf(html);
  expect([mainBy, main.length, main[0]]).toEqual(["density", 6, "Kettle"]);
});

test("two Chinese or Japanese characters count as a word", () => {
  expect(parsePage("<p>電気ケトルは三分で沸きます。</p>").wordCount).toBe(7);
  expect(parsePage("<p>It's 3.5 l – well-made; «ça va» & …</p>").wordCount).toBe(6);
});

test("distinguishes a page filled by scripts from a short one", () => {
  const script = "<script src=/app.js></script>";
  expect(parsePage(`<div id=root></div>${script}`).isLikelyAppShell).toBe(true);
  expect(parsePage(`<app-root><div class=spinner></div></app-root>${script}`).isLikelyAppShell).toBe(true);
  expect(parsePage(`<div id=root><p>${SENTENCE.repeat(3)}</div>${script}`).isLikelyAppShell).toBe(false);
  expect(parsePage(`<div id=note>Closed today.</div>${script}`).isLikelyAppShell).toBe(false);
  expect(parsePage("<div id=root></div>").isLikelyAppShell).toBe(false);
});

test("reads nested microdata items", () => {
  const html = `<div itemscope itemtype="https://schema.org/Product" itemid=" urn:1 "><h2 itemprop="name alternateName">Kettle <b>K1</b></h2>
<p itemprop=offers itemscope itemtype="https://schema.org/Offer"><meta itemprop=price content=20><link itemprop=availability href=/in>
<time itemprop=from datetime=2024>now</time><b itemprop=priceCurrency content=EUR>€</b></p><img itemprop=image src=k.png></div><p itemprop=name>of nothing`;
  const at = (text: string) => html.indexOf(text);
  expect(parsePage(html).microdata).toEqual([
    {
      type: ["https://schema.org/Product"],
      id: "urn:1",
      offset: 0,
      properties: [
        { name: "name", value: "Kettle K1", offset: at("<h2") },
        { name: "alternateName", value: "Kettle K1", offset: at("<h2") },
        {
          name: "offers",
          offset: at("<p"),
          value: {
            type: ["https://schema.org/Offer"],
            id: null,
            offset: at("<p"),
            properties: [
              { name: "price", value: "20", offset: at("<meta") },
              { name: "availability", value: "/in", offset: at("<link") },
              { name: "from", value: "2024", offset: at("<time") },
              { name: "priceCurrency", value: "EUR", offset: at("<b itemprop") },
            ],
          },
        },
        { name: "image", value: "k.png", offset: at("<img") },
      ],
    },
  ]);
});

// Each overflows the stack of a recursive parser, or takes a backtracking one minutes.
const HOSTILE: Readonly<Record<string, string>> = {
  "elements within each other": "<div>".repeat(20_000) + "deep",
  "elements within each other, each ended": "<section>".repeat(20_000) + "</section>".repeat(20_000),
  "end tags that end nothing": `<span><div>${"<i>".repeat(10_000)}${"</span>".repeat(20_000)}`,
  links: "<a href=/x>y</a>".repeat(200_000),
  "items within each other": "<div itemscope itemprop='a b c d e' itemtype=x>".repeat(10_000),
  "quotes and names within each other": "<blockquote><cite><b class=author><time>".repeat(30_000) + "x",
  entities: "&amp;&#x41;&lt".repeat(60_000),
  attributes: `<p ${"a=1 ".repeat(60_000)}>x`,
  "one tag that never ends": `<p ${"a ".repeat(100_000)}`,
  "white space": " \n".repeat(400_000),
  "tables within each other": "<table><tr><td>".repeat(10_000),
  "links in tables within each other": "<a href=/x><table><td>word ".repeat(10_000),
  "comments that never end": "<!--".repeat(100_000),
  "line breaks": "x<br> ".repeat(100_000),
};
test.for(Object.entries(HOSTILE))("reads a page of %s to its end, within bounds", ([, html]) => {
  const page = parsePage(html);
  for (const list of [page.blocks, page.anchors, page.microdata, page.quotes, page.tables, page.landmarks])
    expect(list.length).toBeLessThanOrEqual(MAX_LIST_ENTRIES);
});

test("reports a truncated page", () => {
  const many = parsePage("<a href=/x>y</a>".repeat(MAX_LIST_ENTRIES + 1));
  expect([many.anchors.length, many.isCut]).toEqual([MAX_LIST_ENTRIES, true]);
  expect(parsePage("<a href=/x>y</a>".repeat(9)).isCut).toBe(false);
});

test("a JSON-LD block has the offset of its text, so that faults are located", () => {
  const html =
    '<html><head>\n<script type="application/ld+json">\n{"a": 1}</script><script type="application/ld+json"></script>';
  const { jsonLd } = parsePage(html);
  expect(jsonLd).toEqual([
    { text: '\n{"a": 1}', offset: html.indexOf("\n{") },
    { text: "", offset: html.lastIndexOf("<script") },
  ]);
});
