import { BUNDLED_ORIGIN } from "../../../core/audit/bundled-site.ts";

// The pages of the bundled site. The maker, its machines and its people are invented; the faults are those that audits meet most.

export interface BundledPage {
  path: string;
  html: string;
  xRobotsTag?: string;
}

interface Written {
  path: string;
  title: string;
  /** Left out where the page has none, which is a fault. */
  description?: string;
  /** What stands in `<head>` besides. */
  head?: string;
  main: string;
  xRobotsTag?: string;
}

const jsonLd = (data: object) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const CONTEXT = { "@context": "https://schema.org" };
const MAKER = { "@type": "Organization", name: "Kestrova", url: BUNDLED_ORIGIN };

const openGraph = ({ path, title, description = "" }: Written) =>
  [
    ["title", title],
    ["description", description],
    ["type", "website"],
    ["url", `${BUNDLED_ORIGIN}${path}`],
    ["image", `${BUNDLED_ORIGIN}/images/kestrova.jpg`],
  ]
    .map(([name, content]) => `<meta property="og:${name}" content="${content}">`)
    .join("\n");

const NAVIGATION = [
  ["/", "Home"],
  ["/machines/", "Machines"],
  ["/guides/descaling/", "Guides"],
  ["/compare/home-machines/", "Compare"],
  ["/help/first-start/", "Help"],
]
  .map(([href, text]) => `<a href="${href}">${text}</a>`)
  .join(" ");

function page(written: Written): BundledPage {
  const { path, title, description, head = "", main, xRobotsTag } = written;
  const meta = description === undefined ? "" : `<meta name="description" content="${description}">`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${meta}
<link rel="canonical" href="${BUNDLED_ORIGIN}${path}">
${openGraph(written)}
${head}
</head>
<body>
<header><nav>${NAVIGATION}</nav></header>
<main>
${main}
</main>
<footer><p>Kestrova makes espresso machines in Graz. <a href="/about/">About us</a></p></footer>
</body>
</html>
`;
  return { path, html, ...(xRobotsTag === undefined ? {} : { xRobotsTag }) };
}

const product = (name: string, price: string, extra: object = {}) =>
  jsonLd({
    ...CONTEXT,
    "@type": "Product",
    name,
    brand: { "@type": "Brand", name: "Kestrova" },
    description: `${name}, an espresso machine for the home.`,
    image: `${BUNDLED_ORIGIN}/images/kestrova.jpg`,
    offers: { "@type": "Offer", price, priceCurrency: "EUR", availability: "https://schema.org/InStock" },
    ...extra,
  });

const article = (headline: string, published: string, author = "Mira Oberhauser") =>
  jsonLd({
    ...CONTEXT,
    "@type": "Article",
    headline,
    datePublished: published,
    dateModified: published,
    author: { "@type": "Person", name: author },
    publisher: MAKER,
    image: `${BUNDLED_ORIGIN}/images/kestrova.jpg`,
  });

export const BUNDLED_PAGES: readonly BundledPage[] = [
  page({
    path: "/",
    title: "Kestrova: espresso machines for small kitchens",
    description:
      "Kestrova makes compact espresso machines for the home, with brew groups that come out and parts that can be bought for ten years.",
    head: jsonLd({ ...CONTEXT, ...MAKER, logo: `${BUNDLED_ORIGIN}/images/logo.png` }),
    main: `<h1>Espresso machines for small kitchens</h1>
<p>Kestrova makes compact espresso machines for the home: 24 cm wide, ready in 38 seconds, with a brew group that comes out for cleaning.</p>
<h2>Our machines</h2>
<p>The <a href="/machines/k1/">Kestrova K1</a> costs 499 euros and suits beginners. The <a href="/machines/k2/">Kestrova K2</a> adds a second boiler for milk drinks and costs 899 euros.</p>
<h2>Why is a removable brew group worth it?</h2>
<p>A brew group that comes out is rinsed in one minute a week. Machines without one need a technician about every 18 months, as the <a href="https://www.example.org/coffee-repairs">repair survey of 2025</a> found.</p>`,
  }),
  page({
    path: "/machines/",
    title: "All Kestrova espresso machines",
    description: "Both Kestrova machines side by side: width, boilers, heating time and price.",
    main: `<h1>All machines</h1>
<ul><li><a href="/machines/k1/">Kestrova K1, 499 euros</a></li><li><a href="/machines/k2/">Kestrova K2, 899 euros</a></li></ul>
<img src="/images/k1.jpg"><img src="/images/k2.jpg">`,
  }),
  page({
    path: "/machines/k1/",
    title: "Kestrova K1 espresso machine",
    description:
      "The Kestrova K1 is a 24 cm wide espresso machine with one boiler, ready in 38 seconds, for 499 euros.",
    head: product("Kestrova K1", "499.00"),
    main: `<h1>Kestrova K1</h1>
<p>The Kestrova K1 is a single-boiler espresso machine for the home: it is 24 cm wide, heats in 38 seconds and costs 499 euros.</p>
<h2>Dimensions and power</h2>
<table><caption>Kestrova K1 in figures</caption><tr><th>Width</th><th>Heating time</th><th>Power</th></tr><tr><td>24 cm</td><td>38 s</td><td>1,350 W</td></tr></table>
<h2>How long does the Kestrova K1 last?</h2>
<p>The Kestrova K1 is built for 20,000 cups. Parts can be bought for ten years after the last machine was sold.</p>`,
  }),
  page({
    path: "/machines/k2/",
    title: "Kestrova K2 espresso machine",
    // The price is no number, and the rating is above its own scale.
    head: product("Kestrova K2", "ask us", {
      aggregateRating: { "@type": "AggregateRating", ratingValue: 7, bestRating: 5, ratingCount: 12 },
    }),
    main: `<h1>Kestrova K2</h1>
<h3>Two boilers</h3>
<p>It brews and steams at once. It froths oat milk as well as cow's milk. It is wider than the smaller model, and it costs more.</p>
<img src="/images/k2-side.jpg">`,
  }),
  page({
    path: "/guides/descaling/",
    title: "How to descale an espresso machine",
    description: "Descale every 200 cups, or every two months with hard water: the seven steps, and what they cost.",
    head: article("How to descale an espresso machine", "2026-09-14"),
    main: `<h1>How to descale an espresso machine</h1>
<p class="byline">By Mira Oberhauser, <time datetime="2026-09-14">14 September 2026</time></p>
<p>Descale a home espresso machine every 200 cups, or every two months where the water is harder than 14 °dH. It takes 25 minutes and one sachet of citric acid.</p>
<h2>What do I need?</h2>
<ul><li>20 g of citric acid</li><li>1 litre of cold water</li><li>A jug of at least 1 litre</li></ul>
<h2>Which steps are there?</h2>
<ol><li>Empty the tank.</li><li>Fill in the citric acid and the water.</li><li>Run half of it through, and wait for 15 minutes.</li><li>Run the rest through.</li><li>Rinse with 1 litre of fresh water.</li></ol>
<blockquote cite="https://www.example.org/limescale">"One millimetre of limescale raises the power that a boiler takes by about 10 percent," says Jonas Reiter of the Water Institute.</blockquote>`,
  }),
  page({
    path: "/guides/grind-size/",
    title: "Grind size",
    description: "Grind size",
    head: article("Grind size", "2021-02-03", ""),
    main: `<h1>Grind size</h1><h1>All about grinding</h1>
<p>${"Grinding is a topic about which a great many people hold a great many views, and there is a lot to be said about each of them, which is why it makes sense to take one's time and to consider everything in turn before one settles on anything at all. ".repeat(14)}</p>`,
  }),
  page({
    path: "/compare/home-machines/",
    title: "Kestrova K1 or K2: which one fits?",
    description: "The Kestrova K1 and K2 compared by width, boilers, milk drinks and price.",
    main: `<h1>Kestrova K1 or K2?</h1>
<p>Choose the Kestrova K1 for espresso alone, and the Kestrova K2 where more than two milk drinks a day are made.</p>
<p>- K1: 24 cm wide</p><p>- K2: 31 cm wide</p><p>- K1: one boiler</p><p>- K2: two boilers</p>`,
  }),
  page({
    path: "/help/first-start/",
    title: "First start of a Kestrova machine",
    description: "Set up a Kestrova machine in four steps, from the first rinse to the first cup.",
    main: `<h1>First start</h1>
<p>A Kestrova machine is ready for its first cup after four steps, which take about six minutes together.</p>
<h2>How is it rinsed?</h2>
<ol><li>Fill the tank to the mark.</li><li>Switch the machine on and wait for the light.</li><li>Run one tank of water through without coffee.</li><li>Empty the tray.</li></ol>`,
  }),
  page({
    path: "/help/warranty/",
    title: "Warranty of Kestrova machines",
    description: "Every Kestrova machine has a warranty of three years on the boiler and two on all other parts.",
    head: `<meta name="robots" content="nosnippet">`,
    main: `<h1>Warranty</h1><p>Every Kestrova machine has a warranty of three years on the boiler and two years on all other parts.</p>`,
  }),
  page({
    path: "/offers/",
    title: "Offers",
    description: "Machines that were returned and checked, at a lower price.",
    xRobotsTag: "noindex",
    main: `<h1>Offers</h1><p>Kestrova sells machines that were returned and checked for 15 percent less.</p>`,
  }),
  page({
    path: "/about/",
    title: "About Kestrova",
    description: "Kestrova was founded in Graz in 2011 and employs 84 people.",
    main: `<h1>About Kestrova</h1><p>Kestrova was founded in Graz in 2011. Its 84 people build about 22,000 machines a year.</p>
<h2></h2><p>Write to <a href="mailto:hello@kestrova.example">hello@kestrova.example</a>.</p>`,
  }),
  {
    path: "/finder/",
    html: `<!doctype html><html><head><title>Machine finder</title></head><body><div id="app"></div><script src="/app.js"></script></body></html>\n`,
  },
];

const LISTED = [...BUNDLED_PAGES.map(({ path }) => path).filter((path) => path !== "/offers/"), "/machines/k0/"];

/** Files of the site that are no pages, by path. */
export const BUNDLED_FILES: Readonly<Record<string, string>> = {
  "/robots.txt": `User-agent: *
Allow: /

User-agent: GPTBot
Disallow: /

User-agent: Claude-SearchBot
Disallow: /guides/

Sitemap: ${BUNDLED_ORIGIN}/sitemap.xml
`,
  "/sitemap.xml": `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${LISTED.map((path) => `<url><loc>${BUNDLED_ORIGIN}${path}</loc></url>`).join("\n")}
</urlset>
`,
};
