import { type Draft, AUTHOR, jsonLd, OFFER, ORIGIN, PRODUCT } from "./draft.ts";
import { createKind, type ExpectedOutcomes, type FaultKind } from "./kind.ts";

const description = (content: string) => `<meta name="description" content="${content}">`;
const text = (length: number) =>
  "Kettles of Acme for the home, the office and the way between. "
    .repeat(4)
    .slice(0, length - 1)
    .concat("x");

const TITLES: readonly FaultKind[] = [
  createKind("no_title", { parts: "title", finds: { title_present: "fail" } }, [
    (draft) => void (draft.title = ""),
    (draft) => void (draft.title = draft.title.replace("<title>", '<TITLE lang="en">\n  ')),
  ]),
  createKind("empty_title", { parts: "title", finds: { title_present: "fail" } }, [
    (draft) => void (draft.title = "<title> \n </title>"),
    (draft) => void (draft.title = "<title>Acme kettles &amp; cans</title>"),
  ]),
  createKind("short_title", { parts: "title", finds: { title_length: "warn" } }, [
    (draft) => void (draft.title = "<title>Kettles</title>"),
    (draft) => void (draft.title = "<title>Tea kettle</title>"),
  ]),
  createKind("long_title", { parts: "title", finds: { title_length: "warn" } }, [
    (draft) => void (draft.title = `<title>${text(71)}</title>`),
    (draft) => void (draft.title = `<title>${text(70)}</title>`),
  ]),
  createKind("two_titles", { parts: "title", finds: { title_single: "warn" } }, [
    (draft) => void (draft.title += "<title>Acme, maker of kettles</title>"),
    (draft) => void draft.more.push('<svg viewBox="0 0 9 9"><title>A kettle</title><path d="M0 0h9v9z"/></svg>'),
  ]),
];

const DESCRIPTIONS: readonly FaultKind[] = [
  createKind("no_description", { parts: "description", finds: { description_present: "fail" } }, [
    (draft) => void (draft.description = ""),
    (draft) => void (draft.description = `<META CONTENT='${text(90)}' NAME=Description>`),
  ]),
  createKind("empty_description", { parts: "description", finds: { description_present: "fail" } }, [
    (draft) => void (draft.description = description(" ")),
    (draft) => void (draft.description = description(`${text(60)} &quot;`)),
  ]),
  createKind("two_descriptions", { parts: "description", finds: { description_present: "warn" } }, [
    (draft) => void (draft.description += description(text(80))),
    (draft) => void (draft.description += `<meta name="twitter:description" content="${text(80)}">`),
  ]),
  createKind("short_description", { parts: "description", finds: { description_length: "warn" } }, [
    (draft) => void (draft.description = description(text(49))),
    (draft) => void (draft.description = description(text(50))),
  ]),
  createKind("long_description", { parts: "description", finds: { description_length: "warn" } }, [
    (draft) => void (draft.description = description(text(171))),
    (draft) => void (draft.description = description(text(170))),
  ]),
];

const without = (property: string) => (draft: Draft) =>
  void (draft.openGraph = draft.openGraph
    .split("\n")
    .filter((line) => !line.includes(property))
    .join("\n"));

const HEADS: readonly FaultKind[] = [
  createKind(
    "no_open_graph",
    { on: ["article", "documentation", "other", "category"], parts: "open_graph", finds: { open_graph: "fail" } },
    [
      (draft) => void (draft.openGraph = ""),
      (draft) => void (draft.openGraph = draft.openGraph.replaceAll("property=", "name=")),
    ],
  ),
  createKind("open_graph_in_part", { parts: "open_graph", finds: { open_graph: "warn" } }, [
    without("og:description"),
    (draft) => void (draft.openGraph += '\n<meta property="og:locale" content="">'),
  ]),
  createKind("no_open_graph_image", { parts: "open_graph_image", finds: { open_graph_image: "fail" } }, [
    (draft) => void (draft.openGraphImage = '<meta name="twitter:image" content="https://acme.test/kettle.jpg">'),
    (draft) => void (draft.openGraphImage = draft.openGraphImage.replace("og:image", "og:image:secure_url")),
  ]),
  createKind("partial_image_address", { parts: "open_graph_image", finds: { open_graph_image: "warn" } }, [
    (draft) => void (draft.openGraphImage = '<meta property="og:image" content="/kettle.jpg">'),
    (draft) => void (draft.openGraphImage += '<meta property="og:image" content="/kettle-2.jpg">'),
  ]),
  createKind("no_viewport", { parts: "viewport", finds: { viewport: "fail" } }, [
    (draft) => void (draft.viewport = ""),
    (draft) => void (draft.viewport = '<meta content="initial-scale=1, width = device-width" name="viewport">'),
  ]),
  createKind("fixed_viewport", { parts: "viewport", finds: { viewport: "warn" } }, [
    (draft) => void (draft.viewport = '<meta name="viewport" content="width=1024">'),
    (draft) =>
      void (draft.viewport = '<meta name="viewport" content="width=device-width,minimum-scale=1,maximum-scale=5">'),
  ]),
  createKind("no_language", { parts: "language", finds: { language_declared: "fail" } }, [
    (draft) => void (draft.lang = ""),
    (draft) => void (draft.lang = " LANG=en-GB"),
  ]),
  createKind("wrong_language_tag", { parts: "language", finds: { language_declared: "fail" } }, [
    (draft) => void (draft.lang = ' lang="en_GB"'),
    (draft) => void (draft.lang = ' lang="EN-us-x-kettle"'),
  ]),
  createKind(
    "other_language",
    { on: ["article", "documentation", "other"], parts: "language more", finds: { language_matches: "fail" } },
    [
      (draft) => void (draft.lang = ' lang="de"'),
      (draft) =>
        void draft.more.push(
          '<p lang="de">Der Deckel ist nicht für den Ofen, und das ist auf dem Boden der Kanne auch zu lesen.</p>',
        ),
    ],
  ),
];

const COMPANY = { "@context": "https://schema.org", "@type": "Organization", name: "Acme", url: ORIGIN };
const block = (data: unknown) => (draft: Draft) => void draft.head.push(jsonLd(data));
/** A kind with an additional JSON-LD block on both sides. */
const blocks = (id: string, finds: ExpectedOutcomes, [fault, near]: readonly [unknown, unknown]): FaultKind =>
  createKind(id, { parts: "more_data", finds }, [block(fault), block(near), block(near)]);

const step = (position: number | undefined, name: string, item?: string) => ({
  "@type": "ListItem",
  position,
  name,
  item,
});
const trail = (...steps: readonly object[]) => ({
  "@context": "https://schema.org",
  "@type": "BreadcrumbList",
  itemListElement: steps,
});
const SHOP = step(1, "Shop", `${ORIGIN}/products/`);
const FAQ = { "@context": "https://schema.org", "@type": "FAQPage" };
const RATING = { "@type": "AggregateRating", ratingValue: 4.2 };

const microdata = (type: string, inner: string) =>
  `<div itemscope itemtype="https://schema.org/${type}">${inner}</div>`;

const DATA: readonly FaultKind[] = [
  createKind(
    "no_data",
    { on: ["article", "product"], parts: "data more_data author", finds: { structured_data_present: "warn" } },
    [
      (draft) => void (draft.data = []),
      (draft) => {
        draft.data = [];
        const name = '<meta itemprop="name" content="Acme travel kettle">';
        const offer =
          '<div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="49.00"></div>';
        const headline = '<meta itemprop="headline" content="Tea in the morning">';
        draft.more.push(draft.type === "product" ? microdata("Product", name + offer) : microdata("Article", headline));
      },
    ],
  ),
  createKind("broken_data", { parts: "more_data", finds: { structured_data_parses: "fail" } }, [
    (draft) => void draft.head.push(jsonLd(COMPANY).replace("}<", ",}<")),
    (draft) => void draft.head.push(jsonLd([COMPANY]).replace("https://schema.org", "http:\\/\\/schema.org\\/")),
  ]),
  blocks("unknown_type", { structured_data_valid: "fail" }, [
    { ...COMPANY, "@type": "Organisation" },
    { ...COMPANY, "@type": "https://schema.org/Organization" },
  ]),
  blocks("unknown_property", { structured_data_valid: "warn" }, [
    { ...COMPANY, sinceYear: "1994" },
    { ...COMPANY, foundingDate: "1994" },
  ]),
  blocks("impossible_date", { structured_data_valid: "fail" }, [
    { ...COMPANY, foundingDate: "1994-13-45" },
    { ...COMPANY, foundingDate: "1994-12" },
  ]),
  createKind(
    "data_of_other_things",
    { on: ["article", "product"], parts: "data author", finds: { structured_data_fits_type: "warn" } },
    [
      (draft) => void (draft.data = [COMPANY]),
      (draft) => void (draft.data = [{ "@context": "https://schema.org", "@graph": [COMPANY, ...draft.data] }]),
    ],
  ),
  createKind("no_offer", { on: ["product"], parts: "data", finds: { structured_data_rich_result: "fail" } }, [
    (draft) => void (draft.data = [{ ...PRODUCT, offers: undefined }]),
    (draft) => {
      const review = { "@type": "Review", author: AUTHOR, reviewRating: { "@type": "Rating", ratingValue: 4 } };
      draft.data = [{ ...PRODUCT, offers: undefined, review }];
    },
  ]),
  createKind("no_price", { on: ["product"], parts: "data", finds: { structured_data_rich_result: "fail" } }, [
    (draft) => void (draft.data = [{ ...PRODUCT, offers: { ...OFFER, price: undefined } }]),
    (draft) => {
      const priceSpecification = { "@type": "PriceSpecification", price: 49, priceCurrency: "EUR" };
      draft.data = [{ ...PRODUCT, offers: { "@type": "Offer", priceSpecification } }];
    },
  ]),
  createKind("uncounted_rating", { on: ["product"], parts: "data", finds: { structured_data_rich_result: "fail" } }, [
    (draft) => void (draft.data = [{ ...PRODUCT, aggregateRating: RATING }]),
    (draft) => void (draft.data = [{ ...PRODUCT, aggregateRating: { ...RATING, reviewCount: "12" } }]),
  ]),
  blocks("step_without_position", { structured_data_rich_result: "fail" }, [
    trail(SHOP, step(undefined, "Kettles", `${ORIGIN}/kettles/`)),
    trail(SHOP, step(2, "Kettles")),
  ]),
  blocks("questions_without_any", { structured_data_rich_result: "warn" }, [
    FAQ,
    {
      ...FAQ,
      mainEntity: [
        { "@type": "Question", name: "How long?", acceptedAnswer: { "@type": "Answer", text: "Not long." } },
      ],
    },
  ]),
];

export const HEAD_KINDS = [...TITLES, ...DESCRIPTIONS, ...HEADS, ...DATA];
