import type { PageType } from "../../../core/audits/page-type.ts";
import { sentences, type Draw } from "./text.ts";

export const ORIGIN = "https://acme.test";

export interface Section {
  level: number;
  /** Empty for none. */
  heading: string;
  html: string;
}

/**
 * A page and its host's response, in parts that faults change. All HTML except `path`, `address`
 * and response fields.
 */
export interface Draft {
  path: string;
  type: PageType;
  /** Audited address; if it differs from the path, the host redirects. */
  address: string;
  /** Each hop redirects to the next, the last to the page. */
  hops: { address: string; status: number }[];
  status: number;
  headers: Record<string, string>;
  /** Milliseconds to the first byte. */
  responseMs: number;
  /** Addresses of it in the sitemap, as XML. */
  listed: string[];
  /** Lines of robots.txt by agent; `*` for all. */
  robots: { agent: string; line: string }[];
  lang: string;
  title: string;
  description: string;
  viewport: string;
  canonical: string;
  openGraph: string;
  openGraphImage: string;
  /** Metas of author and dates. */
  origin: string;
  /** Further head elements. */
  head: string[];
  /** Blocks of JSON-LD. */
  data: Record<string, unknown>[];
  main: [open: string, close: string];
  h1: string;
  byline: string;
  /** Before the lead. */
  before: string;
  lead: string;
  sections: Section[];
  figures: string;
  quote: string;
  links: string;
  table: string;
  /** At the end of the main content. */
  more: string[];
  /** Outside of it. */
  outside: string[];
  /** The whole HTML, in place of all that. */
  whole?: string;
}

export const addressOf = (path: string) => `${ORIGIN}${path}`;
export const FRESH = "2026-10-12";
export const AUTHOR = { "@type": "Person", name: "Ann Lee", url: `${ORIGIN}/people/ann` };
export const OFFER = { "@type": "Offer", price: "49.00", priceCurrency: "EUR" };
const CONTEXT = { "@context": "https://schema.org" };

const HEADINGS = [
  "How does the kettle keep the water warm?",
  "The lid and the handle",
  "What does the filter do?",
  "Use in a small kitchen",
  "Care and cleaning",
];
const FOLDERS: Readonly<Record<PageType, string>> = {
  article: "/blog/tea-notes-",
  product: "/products/kettle-",
  comparison: "/compare/steel-vs-glass-",
  documentation: "/docs/first-use-",
  category: "/category/kettles-",
  other: "/about/workshop-",
  home: "/",
};
export const pathOf = (type: PageType, number: number) =>
  type === "home" ? "/" : `${FOLDERS[type]}${String(number).padStart(3, "0")}`;

const TITLES: Readonly<Record<PageType, string>> = {
  article: "Tea in the morning, by Acme",
  product: "The Acme travel kettle",
  comparison: "Steel vs. glass: Acme kettles compared",
  documentation: "Acme kettle user guide",
  category: "All kettles of Acme",
  other: "The workshop of Acme",
  home: "Acme, maker of kettles",
};
const OPEN_GRAPH_TYPES: Partial<Record<PageType, string>> = {
  article: "article",
  comparison: "article",
  product: "product",
};

export const ARTICLE = {
  ...CONTEXT,
  "@type": "Article",
  headline: "Tea in the morning",
  datePublished: FRESH,
  dateModified: FRESH,
  author: AUTHOR,
};
export const PRODUCT = { ...CONTEXT, "@type": "Product", name: "Acme travel kettle", offers: OFFER };
const listOf = (entries: readonly object[]) => ({
  ...CONTEXT,
  "@type": "ItemList",
  itemListElement: entries.map((item, at) => ({ "@type": "ListItem", position: at + 1, item })),
});
const DATA: Readonly<Record<PageType, readonly Record<string, unknown>[]>> = {
  article: [ARTICLE],
  product: [PRODUCT],
  comparison: [
    ARTICLE,
    listOf(["Acme steel kettle", "Acme glass kettle"].map((name) => ({ "@type": "Product", name, offers: OFFER }))),
  ],
  documentation: [{ ...ARTICLE, "@type": "TechArticle" }],
  category: [{ ...CONTEXT, "@type": "CollectionPage", name: "All kettles" }],
  other: [{ ...CONTEXT, "@type": "AboutPage", name: "The workshop" }],
  home: [{ ...CONTEXT, "@type": "WebSite", name: "Acme", url: ORIGIN }],
};

const WITH_ORIGIN = new Set<PageType>(["article", "comparison"]);
export const FIGURES = "<p>Acme sells the kettle for 49 €. One litre of water boils in 3 minutes, at 2000 watts.</p>";
export const QUOTE =
  "<blockquote><p>The lid makes the tea, and the water makes the cup.</p><cite>Ann Lee</cite></blockquote>";
export const LINKS =
  '<p>See the <a href="https://tea-institute.example.org/water">study of the tea institute</a> and the <a href="https://www.kettle-norms.example.net/">norm for kettles</a>.</p>';
export const TABLE =
  "<table><caption>Kettles</caption><tr><th>What</th><th>Steel</th><th>Glass</th></tr><tr><td>Wall</td><td>firm</td><td>clear</td></tr><tr><td>Lid</td><td>tight</td><td>loose</td></tr></table>";

/** A page without a fault. */
export function cleanDraft(type: PageType, number: number, draw: Draw): Draft {
  const path = pathOf(type, number);
  const own = addressOf(path);
  const isDated = WITH_ORIGIN.has(type);
  const title = `${TITLES[type]}${type === "home" ? "" : ` (${number})`}`;
  return {
    path,
    type,
    address: own,
    hops: [],
    status: 200,
    responseMs: 1,
    headers: { "content-type": "text/html; charset=utf-8" },
    listed: [own],
    robots: [],
    lang: ' lang="en"',
    title: `<title>${title}</title>`,
    description: `<meta name="description" content="What Acme says of page ${number}: the lid, the filter, the handle and the care.">`,
    viewport: '<meta name="viewport" content="width=device-width, initial-scale=1">',
    canonical: `<link rel="canonical" href="${own}">`,
    openGraph: [
      `<meta property="og:title" content="${title}">`,
      '<meta property="og:description" content="Kettles by Acme">',
      `<meta property="og:type" content="${OPEN_GRAPH_TYPES[type] ?? "website"}">`,
    ].join("\n"),
    openGraphImage: `<meta property="og:image" content="${ORIGIN}/kettle.jpg">`,
    origin: isDated
      ? `<meta name="author" content="Ann Lee"><meta property="article:published_time" content="${FRESH}">`
      : "",
    head: [],
    data: structuredClone([...DATA[type]]),
    main: ["<main>", "</main>"],
    h1: `<h1>${title}</h1>`,
    byline: isDated ? `<p class="byline">By Ann Lee, <time datetime="${FRESH}">12 October 2026</time></p>` : "",
    before: "",
    lead: `<p>The Acme kettle is a steel can for tea that keeps the water warm on the table. ${sentences(draw, 1)}</p>`,
    sections: HEADINGS.map((heading) => ({ level: 2, heading, html: `<p>${sentences(draw, 5)}</p>` })),
    figures: FIGURES,
    quote: isDated ? QUOTE : "",
    links: isDated ? LINKS : "",
    table: type === "comparison" ? TABLE : "",
    more: [],
    outside: [],
  };
}

const NAVIGATION = '<header><nav><a href="/">Acme</a> <a href="/blog/">Tea notes</a></nav></header>';
const FOOTER = "<footer><p>Acme makes kettles in Graz.</p></footer>";

/** A block of JSON-LD as HTML. */
export const jsonLd = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;

export function renderDraft(draft: Draft): string {
  if (draft.whole !== undefined) return draft.whole;
  const { title, description, viewport, canonical, openGraph, openGraphImage, origin, head, data } = draft;
  const heads = [
    title,
    description,
    viewport,
    canonical,
    openGraph,
    openGraphImage,
    origin,
    ...head,
    ...data.map(jsonLd),
  ];
  const sections = draft.sections.flatMap(({ level, heading, html }) => [
    ...(heading === "" ? [] : [`<h${level}>${heading}</h${level}>`]),
    html,
  ]);
  const { main, h1, byline, before, lead, figures, quote, links, table, more, outside } = draft;
  const body = [main[0], h1, byline, before, lead, ...sections, figures, quote, links, table, ...more, main[1]];
  return [
    `<!doctype html>\n<html${draft.lang}>\n<head>\n<meta charset="utf-8">`,
    ...heads,
    `</head>\n<body>\n${NAVIGATION}`,
    ...body,
    ...outside,
    `${FOOTER}\n</body>\n</html>\n`,
  ]
    .filter((part) => part !== "")
    .join("\n");
}
