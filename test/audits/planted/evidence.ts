import { ARTICLE, AUTHOR, LINKS, QUOTE, type Draft } from "./draft.ts";
import { ARTICLES, createKind, type FaultKind } from "./kind.ts";

// Evidence of articles: figures, quotations, citations, authors and dates.

const figures = (html: string) => (draft: Draft) => void (draft.figures = html);
const NONE = "<p>Acme sells the kettle at a good price, and the water boils fast.</p>";
const ONE = "<p>Acme sells the kettle at a good price, and one litre boils in 3 minutes.</p>";
const THREE = "<p>The can of Acme holds 1.5 litres, weighs 900 g and takes 2 kW.</p>";

const quote = (html: string) => (draft: Draft) => void (draft.quote = html);
const link = (href: string, rel = "") => `<p>See the <a href="${href}"${rel}>page on kettles</a>.</p>`;
const SHARED =
  link("https://www.facebook.com/sharer") +
  link("https://x.com/acme") +
  link("/blog/") +
  link("https://shop.acme.test/");

/** Stated facts that differ from those of the article. */
const states = (draft: Draft, data: object, origin: string, byline: string) => {
  draft.data = draft.data.map((item) => (item["headline"] === ARTICLE.headline ? { ...item, ...data } : item));
  Object.assign(draft, { origin, byline });
};
const PUBLISHED = '<meta property="article:published_time" content="2026-10-12">';
const METAS = `<meta name="author" content="Ann Lee">${PUBLISHED}`;
const BY = '<p class="byline">By Ann Lee</p>';
const dated = (datePublished: string | undefined, dateModified?: string) => (draft: Draft) =>
  states(draft, { datePublished, dateModified }, '<meta name="author" content="Ann Lee">', BY);

export const EVIDENCE_KINDS: readonly FaultKind[] = [
  createKind("no_figures", { on: ARTICLES.slice(0, 1), parts: "figures", finds: { figures_with_units: "warn" } }, [
    figures(NONE),
    figures(THREE),
  ]),
  createKind("no_figures_of_product", { on: ["product"], parts: "figures", finds: { figures_with_units: "fail" } }, [
    figures(NONE),
    figures(THREE),
  ]),
  createKind("one_figure", { on: [...ARTICLES, "product"], parts: "figures", finds: { figures_with_units: "warn" } }, [
    figures(ONE),
    figures(THREE),
  ]),
  createKind("no_quotation", { on: ARTICLES, parts: "quote", finds: { attributed_quotations: "warn" } }, [
    quote(""),
    quote("<p>“The lid makes the tea, and the water makes the cup,” says Ann Lee of the guild.</p>"),
  ]),
  createKind("unsigned_quotation", { on: ARTICLES, parts: "quote", finds: { attributed_quotations: "fail" } }, [
    quote(QUOTE.replace(/<cite>.*<\/cite>/, "")),
    quote(`${QUOTE.replace(/<cite>.*<\/cite>/, "")}<p>— Ann Lee</p>`),
  ]),
  createKind("one_unsigned_quotation", { on: ARTICLES, parts: "quote", finds: { attributed_quotations: "warn" } }, [
    (draft) => void (draft.quote += "<blockquote><p>No tea is ever too strong for the morning.</p></blockquote>"),
    (draft) =>
      void (draft.quote +=
        "<figure><blockquote><p>No tea is ever too strong for the morning.</p></blockquote><figcaption>Bo Rey</figcaption></figure>"),
  ]),
  createKind("cites_none", { on: ARTICLES, parts: "links", finds: { outbound_citations: "fail" } }, [
    (draft) => void (draft.links = SHARED),
    (draft) => void (draft.links = LINKS.replaceAll("https://", "//")),
  ]),
  createKind("cites_one", { on: ARTICLES, parts: "links", finds: { outbound_citations: "warn" } }, [
    (draft) =>
      void (draft.links =
        link("https://www.norms.example/a") +
        link("https://norms.example/b") +
        link("https://ad.example/", ' rel="sponsored"')),
    (draft) =>
      void (draft.links =
        link("https://norms.example/a") + link("https://norms.test.example.org/b", ' rel="nofollow"')),
  ]),
  createKind("no_author", { on: ARTICLES, parts: "data author", finds: { author_named: "fail" } }, [
    (draft) => states(draft, { author: undefined }, PUBLISHED, ""),
    (draft) => states(draft, { author: undefined }, PUBLISHED, "<p>By Ann Lee, 12 October 2026</p>"),
  ]),
  createKind("author_is_team", { on: ARTICLES, parts: "data author", finds: { author_named: "warn" } }, [
    (draft) =>
      states(draft, { author: { ...AUTHOR, name: "Editorial team" } }, PUBLISHED, '<p class="byline">By the team</p>'),
    (draft) => states(draft, { author: { ...AUTHOR, name: "Editorial team" } }, METAS, ""),
  ]),
  createKind("undated", { on: ["article"], parts: "data author", finds: { freshness: "fail" } }, [
    dated(undefined),
    (draft) => {
      dated(undefined)(draft);
      draft.byline = '<p class="byline">By Ann Lee</p><p>Published <time datetime="2026-09-30">in autumn</time></p>';
    },
  ]),
  createKind("old", { on: ["article"], parts: "data author", finds: { freshness: "warn" } }, [
    dated("2024-06-01"),
    dated("2020-06-01", "2026-06-01"),
  ]),
  createKind("outdated", { on: ["article"], parts: "data author", finds: { freshness: "fail" } }, [
    dated("2019-03-01", "2020-03-01"),
    dated("2025-03-01"),
  ]),
  createKind("outdated_comparison", { on: ["comparison"], parts: "data author", finds: { freshness: "fail" } }, [
    dated("2024-03-01"),
    dated("2026-03-01"),
  ]),
  createKind("from_the_future", { on: ["article"], parts: "data author", finds: { freshness: "warn" } }, [
    dated("2028-01-01"),
    dated("2026-03-01", "2028-01-01"),
  ]),
];
