import { isDeepStrictEqual, parseArgs } from "node:util";
import { auditPage } from "../../core/audits/audit-page.ts";
import { CHECKS_VERSION, PAGE_CHECKS, SITE_CHECKS } from "../../core/audits/checks.ts";
import type { PageType } from "../../core/audits/page-type.ts";
import { parsePage } from "../../core/audits/parse-page.ts";
import { PAGE_READER } from "../../src/jobs/audits/page-reader.ts";
import { BROKEN_PAGES } from "./broken-pages.ts";
import { createPageOrder } from "./page-order.ts";
import { readPage } from "./page-reading.ts";
import { loadParse5, readWithParse5 } from "./parse5/reference.ts";
import { brokenPage, PAGE_KINDS, seeded, seededPage } from "./seeded-pages.ts";

// Compares the cost of parsing a page and running all checks with parse5, alternating in one
// process, and the reading of broken HTML.

/** Max CPU of parsing and all checks, relative to parse5. */
const GOAL = 4;
const LENGTH = 100_000;
const { values } = parseArgs({
  options: { pages: { type: "string", default: "8" }, rounds: { type: "string", default: "30" } },
});

const parse5 = await loadParse5();

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const RULES = { version: CHECKS_VERSION, pageChecks: PAGE_CHECKS, siteChecks: SITE_CHECKS };
const URL = "https://acme.test/guides/kettles";
function audit(html: string, pageType: PageType) {
  const order = createPageOrder(html);
  auditPage(RULES, { ...order, fetched: { ...order.fetched, url: URL, finalUrl: URL }, pageType }, PAGE_READER);
}

/** Medians over rounds, in milliseconds of CPU per page. */
function measure(pages: readonly string[], pageType: PageType, rounds: number) {
  const [ours, walks, theirs]: [number[], number[], number[]] = [[], [], []];
  for (let round = -3; round < rounds; round += 1) {
    const times = [
      cpuMs(() => pages.forEach((html) => parse5(html))),
      cpuMs(() => pages.forEach((html) => audit(html, pageType))),
      cpuMs(() => pages.forEach((html) => parsePage(html))),
    ] as const;
    if (round < 0) continue;
    theirs.push(times[0]);
    ours.push(times[1]);
    walks.push(times[2]);
  }
  const median = (list: number[]) => (list.toSorted((one, other) => one - other)[list.length >> 1] ?? 0) / pages.length;
  return { ours: median(ours), walk: median(walks), theirs: median(theirs) };
}

const differing = BROKEN_PAGES.filter(([, html, reading]) => !isDeepStrictEqual(readWithParse5(parse5, html), reading));
for (const [title] of differing) console.info(`parse5 reads a page ${title} otherwise`);
const draw = seeded(20_261_123);
const SOUP = 4000;
let alike = 0;
for (let at = 0; at < SOUP; at += 1) {
  const html = brokenPage(draw);
  if (isDeepStrictEqual(readPage(html), readWithParse5(parse5, html))) alike += 1;
}
console.info(
  `Broken HTML: ${BROKEN_PAGES.length - differing.length} of ${BROKEN_PAGES.length} cases and ${((100 * alike) / SOUP).toFixed(1)} % of ${SOUP} pages of tags in any order as parse5`,
);

const ratios = PAGE_KINDS.map((kind) => {
  const pages = Array.from({ length: Number(values.pages) }, (_, seed) => seededPage(kind, seed, LENGTH));
  const { ours, walk, theirs } = measure(
    pages,
    kind === "tags" ? "category" : (kind as PageType),
    Number(values.rounds),
  );
  const ratio = ours / theirs;
  console.info(
    `${kind.padEnd(8)} parse5 ${theirs.toFixed(1)} ms, parsing ${walk.toFixed(1)}, parsing and ${PAGE_CHECKS.length} checks ${ours.toFixed(1)}: ${ratio.toFixed(2)} times, ${Math.round(1000 / ours)} pages per CPU second`,
  );
  return ratio;
});
console.info(`Most ${Math.max(...ratios).toFixed(2)} times parse5 alone (goal at most ${GOAL})`);
process.exitCode = Math.max(...ratios) > GOAL || differing.length > 0 ? 1 : 0;
