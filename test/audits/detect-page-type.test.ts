import { expect, test } from "vitest";
import { detectPageType } from "../../core/audits/page-facts/detect-page-type.ts";
import type { PageType } from "../../core/audits/page-type.ts";
import { parsePage } from "../../core/audits/parse-page.ts";

const LONG = `<p>${"The kettle boils a litre of water in three minutes and then switches itself off again. ".repeat(3)}</p>`;
const CARDS = Array.from(
  { length: 16 },
  (_, at) => `<li><a href="/k/${at}">Kettle number ${at} in steel</a> $${at + 20}</li>`,
);
const TABLE = `<table><tr><th>Kettle<th>K1<th>K2</tr>${"<tr><td>Litres<td>1<td>2</tr>".repeat(3)}</table>`;
const dated = (html: string) =>
  `<main><h1>Post</h1><p class=byline>Ann Lee</p><time datetime=2024-05-01>1 May</time>${html}</main>`;
const main = (title: string, html = "") => `<title>${title}</title><main><h1>${title}</h1>${html}</main>`;

interface Case {
  path: string;
  html: string;
  structured?: readonly PageType[];
}
const page = (path: string, html: string, structured: readonly PageType[] = []): Case => ({ path, html, structured });

const PAGES: Readonly<Record<PageType, readonly Case[]>> = {
  home: [
    page("/", main("Acme kettles", CARDS.join(""))),
    page("/en/", main("Acme", LONG.repeat(4))),
    page("/de-DE", main("Acme")),
    page("/index.html", main("Acme")),
    page("/fr/accueil", main("Acme", LONG)),
    page("/?utm_source=x", main("Acme vs. Bolt", TABLE)),
  ],
  article: [
    page("/blog/how-kettles-boil", dated(LONG.repeat(4))),
    page("/2024/05/how-kettles-boil", dated(LONG)),
    page("/ratgeber/entkalken", main("Wasserkocher entkalken", LONG.repeat(3)), ["article"]),
    page("/x/y", main("Bouilloires", LONG.repeat(3)), ["article"]),
    page(
      "/noticias/nuevo",
      `<meta property=og:type content=article><meta property=article:published_time content=2024-01-01>${LONG}`,
    ),
    page("/コラム/電気ケトル", main("電気ケトルの選び方", LONG.repeat(3))),
  ],
  product: [
    page("/products/k1", main("Kettle K1", "<p>$49.00</p><button>Add to cart</button>")),
    page("/x/k1", main("Kettle K1", LONG), ["product"]),
    page("/k1", `<meta property=og:type content=product>${main("Kettle K1", "<p>49 €</p>")}`),
    page("/produkt/k1", main("Wasserkocher K1", "<p>49,00 €</p><p>Auf Lager</p><button>In den Warenkorb</button>")),
    page("/fr/produits/k1", main("Bouilloire K1", "<p>49 €</p><button>Ajouter au panier</button>")),
    page("/商品/k1", main("電気ケトル K1", "<p>4,900円</p><button>カートに入れる</button>")),
  ],
  category: [
    page("/category/kettles", main("Kettles", `<p>120 products</p><ul>${CARDS.join("")}</ul>`)),
    page("/blog", main("Blog", `<ul>${CARDS.join("")}</ul>`)),
    page("/collections/steel", main("Steel kettles", `<p>Sort by</p>${CARDS.join("")}`)),
    page("/kategorie/wasserkocher", main("Wasserkocher", `<ul>${CARDS.join("")}</ul>`)),
    page("/kettles", `${main("Kettles", CARDS.join(""))}<link rel=next href=/2>`),
    page("/x", main("Bouilloires", "<p>Choix</p>"), ["category"]),
  ],
  comparison: [
    page("/compare/k1-vs-k2", main("K1 vs. K2", LONG + TABLE)),
    page("/blog/k1-vs-k2", main("K1 vs K2: which is better?", LONG + TABLE)),
    page("/vergleich/wasserkocher", main("Wasserkocher im Vergleich", TABLE)),
    page("/comparatif/bouilloires", main("Comparatif de bouilloires", LONG)),
    page("/x/hervidores", main("Comparativa de hervidores", TABLE)),
    page("/kettle", main("電気ケトル比較", TABLE)),
  ],
  documentation: [
    page("/docs/install", main("Installation", "<pre>npm i</pre><pre>run</pre>")),
    page("/x", `<meta name=generator content="Docusaurus v3">${main("Tokens", LONG)}`),
    page("/handbuch/k1", main("Bedienungsanleitung K1", LONG)),
    page("/help/articles/limescale", main("User guide: remove limescale", LONG)),
    page("/x/api", main("API reference", "<pre>GET /k</pre><pre>POST /k</pre>")),
    page("/ドキュメント/k1", main("K1の使い方", LONG)),
  ],
  other: [
    page("/about", main("About us", LONG)),
    page("/contact", main("Contact", "<p>Write to us.</p>")),
    page("/impressum", main("Impressum", "<p>Acme GmbH</p>")),
    page("/careers/engineer", main("Engineer", LONG.repeat(2))),
    page("/pricing", main("Pricing", "<p>$10 a month</p><p>$20 a month</p>")),
  ],
};

for (const [type, cases] of Object.entries(PAGES))
  test.for(cases)(
    `${type === "other" ? "a page without signs of a type" : `a page of type ${type}`} is detected: $path`,
    (one) => {
      const finalUrl = `https://www.example.com${one.path}`;
      expect(detectPageType({ finalUrl }, parsePage(one.html), one.structured ?? [])).toMatchObject({ type });
    },
  );

test("a documentation host's start page is no home page of the brand, but of the manual", () => {
  const html = main("API reference", "<pre>GET /k</pre><pre>POST /k</pre>");
  expect(detectPageType({ finalUrl: "https://docs.example.com/" }, parsePage(html), [])).toEqual({
    type: "home",
    confidence: 0.6,
  });
  expect(detectPageType({ finalUrl: "https://docs.example.com/keys" }, parsePage(html), [])).toMatchObject({
    type: "documentation",
  });
});

const NEAR_MISSES: readonly [string, Case, PageType][] = [
  [
    "an article that mentions a price and links much",
    page("/blog/best", dated(LONG.repeat(4) + "<p>From $20</p>" + CARDS.slice(0, 5).join(""))),
    "article",
  ],
  ["an article with a table of figures", page("/blog/litres", dated(LONG.repeat(4) + TABLE)), "article"],
  [
    "a product with related products",
    page(
      "/products/k1",
      main("Kettle K1", `<p>$49</p><button>Add to cart</button>${LONG}${CARDS.slice(0, 3).join("")}`),
      ["product"],
    ),
    "product",
  ],
  [
    "a product named with a number of versions",
    page("/products/vs-code-mug", main("VSCode mug", "<p>$9</p><button>Buy now</button>")),
    "product",
  ],
  ["an article about documentation", page("/blog/writing-docs", dated(LONG.repeat(4))), "article"],
  ["a page whose address cannot be decoded", page("/%E0%A4%A", main("About", LONG)), "other"],
];
test.for(NEAR_MISSES)("%s is not taken for another type", ([, { path, html, structured }, type]) => {
  const found = detectPageType({ finalUrl: `https://example.com${path}` }, parsePage(html), structured ?? []);
  expect(found).toMatchObject({ type });
});

const sure = (html: string, structured: readonly PageType[]) =>
  detectPageType({ finalUrl: "https://example.com/products/k1" }, parsePage(html), structured);

test("is more confident with more signs", () => {
  const [few, many] = [main("Kettle K1", "<p>$49</p>"), main("Kettle K1", "<p>$49</p><button>Add to cart</button>")];
  expect(sure(few, [])).toEqual({ type: "product", confidence: 0.75 });
  expect(sure(many, ["product"])).toEqual({ type: "product", confidence: 0.9 });
});
