import type { RequestListener } from "node:http";
import { createHash } from "node:crypto";
import { connect } from "node:net";
import type { Crawler } from "../../../core/audits/crawler.ts";
import { type Guard, openGuard } from "../../../src/outside/guard.ts";
import { createCrawler, startSite as listening } from "../crawler-scene.ts";
import { addressOf, renderDraft, ORIGIN, type Draft } from "./draft.ts";
import type { SiteFaultKind } from "./plan.ts";

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}
type Answers = ReadonlyMap<string, Answer>;

const HTML = { "content-type": "text/html; charset=utf-8" };
const TEXT = { "content-type": "text/plain; charset=utf-8" };

const answer = (body: string, headers: Answer["headers"] = HTML, status = 200): Answer => ({ status, headers, body });

const movedTo = (location: string, status = 301) => answer("", { ...HTML, location }, status);

/** Address of the page itself. */
const homeOf = ({ hops, address, path }: Draft) => (hops.length === 0 ? address : addressOf(path));

/** Pages with their first addresses, and site faults. */
export interface SiteState {
  drafts: readonly Draft[];
  urls: readonly string[];
  faults: ReadonlySet<SiteFaultKind>;
}

/**
 * Responses by address. Every other page supports validators; a moved page redirects from its first
 * address.
 */
function createResponses({ drafts, urls, faults }: SiteState): Answers {
  const answers = new Map<string, Answer>();
  for (const [index, draft] of drafts.entries()) {
    const home = homeOf(draft);
    const html = draft.status < 300 ? renderDraft(draft) : "<p>No page";
    const etag = `"${createHash("sha256").update(html).digest("hex").slice(0, 16)}"`;
    answers.set(home, answer(html, { ...draft.headers, ...(index % 2 === 0 ? { etag } : {}) }, draft.status));
    for (const [at, { address, status }] of draft.hops.entries())
      answers.set(address, movedTo(draft.hops[at + 1]?.address ?? home, status));
    const first = urls[index] ?? home;
    if (!answers.has(first)) answers.set(first, movedTo(home));
  }
  const lists = [0, 1].map((half) => drafts.filter((_, index) => index % 2 === half).flatMap(({ listed }) => listed));
  const [first, second] = lists.map((list) => urlset(list, faults.has("sitemap_date")));
  const files: Record<string, Answer> = {
    "/robots.txt": answer(robotsOf(drafts, faults), TEXT),
    "/sitemap.xml": answer(INDEX, { "content-type": "application/xml" }),
    "/sitemap-1.xml": answer(first ?? "", { "content-type": "application/xml" }),
    "/sitemap-2.xml": answer(second ?? "", { "content-type": "application/xml" }),
    "/llms.txt": answer(faults.has("llms_without_heading") ? "Acme makes kettles." : "\uFEFF# Acme\n\nKettles.", TEXT),
  };
  for (const [path, file] of Object.entries(files)) answers.set(addressOf(path), file);
  answers.set(addressOf("/robots.txt").replace("https", "http"), answer("", TEXT));
  return answers;
}

const SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const INDEX = `<?xml version="1.0"?><sitemapindex ${SITEMAP}>${[1, 2].map((at) => `<sitemap><loc>${ORIGIN}/sitemap-${at}.xml</loc></sitemap>`).join("")}</sitemapindex>`;

/** The last entry has a date in valid or invalid form. */
function urlset(addresses: readonly string[], isMisdated: boolean): string {
  const urls = [...addresses, `${ORIGIN}/contact`].map((address) => `<url><loc>\n${address}</loc></url>`);
  const date = `<lastmod>${isMisdated ? "12.10.2026" : "2026-10-12T08:00+01:00"}</lastmod>`;
  return `<?xml version="1.0"?><!-- Kettles --><urlset ${SITEMAP}>${urls.join("").replace(/<\/url>$/, `${date}<changefreq>daily</changefreq></url>`)}</urlset>`;
}

function robotsOf(drafts: readonly Draft[], faults: ReadonlySet<SiteFaultKind>): string {
  const rules = drafts.flatMap(({ robots }) => robots);
  const linesOf = (agent: string) => rules.filter((rule) => rule.agent === agent).map(({ line }) => line);
  const forAll = [...linesOf("*"), "Disallow: /cart/", ...(faults.has("misspelt_rule") ? ["Disalow: /tmp/"] : [])];
  const named = new Set(rules.map(({ agent }) => agent).filter((agent) => agent !== "*"));
  return [
    "# Acme",
    "User-agent: BrandVisibilityBot\nCrawl-delay: 0\nDisallow:",
    ["User-agent: *", ...forAll, "Clean-param: ref /", "Host: acme.test"].join("\n"),
    ...[...named].map((agent) => [`User-agent: ${agent}`, ...forAll, ...linesOf(agent)].join("\n")),
    ...(faults.has("sitemap_unnamed") ? [] : [`sitemap: ${ORIGIN}/sitemap.xml`]),
  ].join("\n\n");
}

/** How long an answer takes is as the site has it, not this machine. */
function withResponseTimes(crawler: Crawler, msOf: (url: string) => number): Crawler {
  return {
    ...crawler,
    async fetchPage(url, options) {
      const outcome = await crawler.fetchPage(url, options);
      if (outcome.kind === "skipped") return outcome;
      if (outcome.kind === "not_modified") return { ...outcome, responseMs: msOf(outcome.finalUrl) };
      return { ...outcome, page: { ...outcome.page, responseMs: msOf(outcome.page.finalUrl) } };
    },
  };
}

/**
 * A changeable site on loopback with a crawler that resolves its name. https responses pass a
 * proxy, as with a CDN.
 */
export async function plantedSite() {
  let answers: Answers = new Map();
  let times: ReadonlyMap<string, number> = new Map();
  let isRefusing = false;
  const sent = { whole: 0, unchanged: 0 };
  const listener: RequestListener = (request, response) => {
    const { host = "", "x-forwarded-proto": scheme = "http", "user-agent": agent = "" } = request.headers;
    const known = answers.get(`${scheme as string}://${host}${request.url ?? ""}`);
    const found = known ?? answer("<p>No page", HTML, 404);
    const isRefused = isRefusing && request.url === "/" && agent.includes("PerplexityBot");
    const { etag } = found.headers;
    const isSame = etag !== undefined && request.headers["if-none-match"] === etag;
    if (isRefused) response.writeHead(403).end();
    else if (isSame) response.writeHead(304, { etag }).end();
    else
      response
        .writeHead(found.status, found.headers)
        .end(`${found.body}${agent.includes("GPT") ? "<!-- GPT -->" : ""}`);
    sent[isSame ? "unchanged" : "whole"] += 1;
  };
  const there = await listening(listener);
  const guard = openGuard({ resolver: there.resolver, dialler: () => connect(there.port, "127.0.0.1") });
  const behindProxy: Guard = {
    connect: (url, signal) => guard.connect(url, signal),
    request: (url, question) => {
      const plain = new URL(url.href.replace(/^https:/, "http:"));
      return guard.request(plain, {
        ...question,
        headers: { ...question.headers, "x-forwarded-proto": url.protocol.slice(0, -1) },
      });
    },
  };
  return {
    crawler: withResponseTimes(createCrawler({ guard: behindProxy }), (url) => times.get(url) ?? 1),
    show(shown: SiteState) {
      answers = createResponses(shown);
      times = new Map(shown.drafts.map((draft) => [homeOf(draft), draft.responseMs]));
      isRefusing = shown.faults.has("crawler_refused");
    },
    /** Responses since the last call. */
    taken: () => {
      const taken = { ...sent };
      Object.assign(sent, { whole: 0, unchanged: 0 });
      return taken;
    },
    [Symbol.asyncDispose]: () => there[Symbol.asyncDispose](),
  };
}
