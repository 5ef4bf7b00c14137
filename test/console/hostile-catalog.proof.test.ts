import { DomUtils, parseDocument } from "htmlparser2";
import { expect, test } from "vitest";
import type { Visit } from "../../examples/browser.ts";
import { shownText } from "../audits/console-scene.ts";
import { crawl } from "./web-pages.ts";
import { hostileConsole, NAMES, type HostileConsole } from "./hostile-scene.ts";
import { addressOf, CONSOLE_PAGES, type ConsolePage } from "./pages.ts";
import { parseCsv, readLinks } from "./read-metrics.ts";
import { readFaults, sendStep, stepOfAddress, type Fields } from "./wizard-pages.ts";

/** Characters that reorder text on a screen. */
const REORDERS = /[\u202A-\u202E\u2066-\u2069]/;

/** Elements with a complete text: an answer, a brief, or a setup. */
const WHOLE = /<(pre|textarea)[\s\S]*?<\/\1>|<div class="(?:answer-text|reading)[\s\S]*?<\/section>/g;

/**
 * Foreign content on a page: scripts, images, style and event attributes, executable addresses,
 * premature ends.
 */
function findStrangeMarkup({ text }: Visit): string[] {
  const document = parseDocument(text);
  const elements = DomUtils.getElementsByTagName("*", document, true);
  const wrong = elements.flatMap(({ name, attribs }) => {
    const isStrange = name === "img" || (name === "script" && !attribs["src"]?.startsWith("/assets/"));
    const marks = Object.entries(attribs).filter(
      ([mark, value]) =>
        /^on|^style$|^srcdoc$/.test(mark) ||
        (/^(?:href|action|src|formaction)$/.test(mark) && !/^(?:https?:\/\/|\/|\?|#|mailto:|$)/.test(value)) ||
        // A field contains a name unchanged.
        (mark !== "value" && REORDERS.test(value)),
    );
    return [...(isStrange ? [name] : []), ...marks.map(([mark, value]) => `${name} ${mark}=${value.slice(0, 60)}`)];
  });
  const shown = text.replaceAll(/ value="[^"]*"|<textarea[\s\S]*?<\/textarea>/g, "");
  const texts = text.replaceAll(WHOLE, "").split(/<[^>]*>/);
  const long = texts.filter((one) => one.length > 2000).map((one) => `long: ${one.slice(0, 40)}`);
  const reordered = REORDERS.exec(shown);
  return [
    ...wrong,
    ...long,
    ...(reordered ? [`reorders: ${shown.slice(Math.max(0, reordered.index - 80), reordered.index + 20)}`] : []),
    ...(text.match(/<\/main>/g)?.length === 1 ? [] : ["main ends elsewhere"]),
    ...(text.length < 150_000 ? [] : [`${text.length} characters`]),
  ];
}

/** Foreign content of pages, by address. */
function findStrangePages(pages: readonly Visit[]): Record<string, string[]> {
  const found = pages.map((page) => {
    const wrong = [...(page.status === 200 ? [] : [`status ${page.status}`]), ...findStrangeMarkup(page)];
    return [page.url.pathname + page.url.search, wrong] as const;
  });
  return Object.fromEntries(found.filter(([, wrong]) => wrong.length > 0));
}

/** The steps of each kind of new analysis, filled in with hostile texts, up to the price. */
async function stepsOf(s: HostileConsole): Promise<Visit[]> {
  const { organizationId, workspaceId } = s.ids;
  const said = NAMES.filter((name) => name.length <= 100 && !REORDERS.test(name));
  const site = { website: "https://brand-0.example" };
  const fills: Record<string, Fields[]> = {
    search: [
      { name: NAMES[2], ...site },
      {
        keywords: said
          .map((name, at) => `"${name.replaceAll('"', '""')}";"best ${name.replaceAll('"', '""')} ${at}"`)
          .join("\n"),
      },
      {},
      { sources: ["ASSISTANT_A"] },
      { runs: "1" },
    ],
    brand: [
      {
        name: NAMES[1],
        ...site,
        category: `phones ${NAMES[2]}`,
        competitors: [s.search.rivalId],
        attributes: said.filter((name) => !name.includes(",")).join("\n"),
      },
      { own_prompts: said.map((name) => `Which is best, ${name}?`).join("\n") },
      { sources: ["ASSISTANT_A"], personas: s.personas },
      { runs: "1" },
    ],
    audit: [
      {
        name: NAMES[0],
        ...site,
        pages_of: "list",
        urls: `https://brand-0.example/?q=${NAMES[2].replaceAll(" ", "%20")}`,
      },
      {},
    ],
  };
  const pages: Visit[] = [];
  for (const [type, steps] of Object.entries(fills)) {
    let page = await s.browser.get(`${s.config.baseUrl}/new/${organizationId}/${workspaceId}/${type}/what`);
    for (const fill of steps) {
      pages.push(page);
      page = await sendStep(s.browser, page, fill);
    }
    expect([type, stepOfAddress(page), readFaults(page.text)]).toEqual([type, "price", {}]);
    pages.push(page);
  }
  return pages;
}

test("a hostile catalog and hostile answers change no page of the workspace and no download", async () => {
  // Attack: names and answers as markup, as formulas, as long as a book, or in the other direction.
  await using s = await hostileConsole();
  const { baseUrl } = s.config;
  const sections = Object.keys(CONSOLE_PAGES).map((name) => addressOf(name, s.ids));
  const place = `${s.ids.organizationId}/${s.ids.workspaceId}`;
  const { data: answers } = (await s.owner.get(`${s.opinions.path}/answers?limit=100`)).body;
  const opened = [
    ...["page", "search"].map((by) => `/sources/${place}?analysis=${s.opinions.id}&by=${by}`),
    ...["prompts", "sources"].map((name) => `/${name}/${place}?analysis=${s.opinions.id}`),
    ...["source=ASSISTANT_A", "country=DE", ...s.personas.map((id) => `persona=${id}`)].map(
      (filter) => `/perception/${place}?${filter}`,
    ),
    `/analyses/${place}/${s.opinions.id}`,
    `/answers/${place}?analysis=${s.search.id}`,
    ...answers.slice(0, 20).map(({ id }: { id: string }) => `/answers/${place}/${s.opinions.id}/${id}`),
  ];
  const pages = await crawl(s.browser, baseUrl, sections);
  for (const address of opened) pages.push(await s.browser.get(baseUrl + address));
  expect(findStrangePages([...pages, ...(await stepsOf(s))])).toEqual({});
  const files = new Map<string, string>();
  for (const link of pages.flatMap(({ text }) => readLinks(text)).filter((one) => one.includes(".csv"))) {
    const name = link.replace(/\?.*$/, "").split("/").at(-1) ?? "";
    files.set(name, (files.get(name) ?? "") + (await s.browser.get(`${baseUrl}${link}`)).text);
  }
  const downloads = Object.values<ConsolePage>(CONSOLE_PAGES).flatMap((page) => Object.keys(page.downloads ?? {}));
  expect([...files.keys()]).toEqual(expect.arrayContaining(downloads));
  const cells = [...files.values()].flatMap((text) => parseCsv(text).flat());
  expect(cells.filter((cell) => /^[=+@\t\r]|^-(?![\d.]+$)/.test(cell))).toEqual([]);
  const of = (name: string) => parseCsv(files.get(name) ?? "").flat();
  expect(of("pros-and-cons.csv")).toEqual(expect.arrayContaining([`'${NAMES[1]}`, `${NAMES[2]} battery`]));
  expect(of("attributes.csv")).toEqual(expect.arrayContaining([`'${NAMES[1]}`, NAMES[2], `'${NAMES[6]}`, NAMES[8]]));
  const shown = (section: string) => shownText(pages.find(({ url }) => url.pathname.startsWith(section))?.text ?? "");
  expect(shown("/visibility/")).toContain(NAMES[0]);
  const quoted = `=1+1 the price of Acme is great for what it is. ${NAMES[2]} Acme is cheaper than Rival`;
  for (const text of [quoted, `${NAMES[1]} 8 0`]) expect(shown("/perception/")).toContain(text);
}, 120_000);
