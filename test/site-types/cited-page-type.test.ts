import { expect, test } from "vitest";
import { CITED_PAGE_TYPES, detectCitedPageType } from "../../core/reading/cited-page-type.ts";

/** Addresses as assistants cite them, by the type that a person gives the page. */
const PAGES: Record<(typeof CITED_PAGE_TYPES)[number], string[]> = {
  home_page: ["https://acme.example", "https://www.acme.example/?utm_source=x", "https://acme.example/de/"],
  category: [
    "https://shop.example/category/espresso",
    "https://shop.example/collections/espresso-machines",
    "https://acme.example/blog",
    "https://acme.example/en/products/",
  ],
  product: ["https://www.amazon.com/Acme-X1/dp/B0C1234567", "https://shop.example/products/acme-x1"],
  listicle: [
    "https://lab.example/10-best-espresso-machines",
    "https://lab.example/reviews/best-espresso-machines-2026.html",
    "https://magazin.example/die-besten-kaffeemaschinen",
    "https://magazine.example/top-10-crm-tools",
    "https://magazine.example/fr/les-meilleurs-aspirateurs",
    "https://kakaku.example/コーヒーメーカー-おすすめ",
  ],
  comparison: [
    "https://g2.example/compare/zoom-vs-slack",
    "https://lab.example/blog/zoom-vs-teams-for-schools",
    "https://acme.example/alternatives/rival",
    "https://test.example/kaffeemaschinen-vergleich",
  ],
  discussion: [
    "https://www.reddit.com/r/espresso/comments/abc/which_machine/",
    "https://community.acme.example/t/which-machine/42",
    "https://forum.example/threads/best-machine.123",
    "https://stackoverflow.com/questions/1/best-way",
  ],
  how_to: [
    "https://lab.example/how-to-descale-an-espresso-machine",
    "https://acme.example/guides/milk",
    "https://docs.example/docs/api/start",
    "https://acme.example/anleitungen/entkalken",
  ],
  article: [
    "https://news.example/2026/11/acme-raises-prices",
    "https://acme.example/blog/milk",
    "https://en.wikipedia.org/wiki/Espresso_machine",
    "https://news.example/acme-raises-its-prices-again",
  ],
  other: ["https://acme.example/about", "not an address"],
};

test("the type of a cited page follows from its address", () => {
  for (const type of CITED_PAGE_TYPES) {
    const found = PAGES[type].map((url) => [
      url,
      detectCitedPageType(url, /reddit|stackoverflow/.test(url) ? "QA_FORUM" : "UNKNOWN"),
    ]);
    expect(found).toEqual(PAGES[type].map((url) => [url, type]));
  }
});
