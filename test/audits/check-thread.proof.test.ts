import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { CHECKS_VERSION, PAGE_CHECKS, SITE_CHECKS } from "../../core/audits/checks.ts";
import type { SiteSubject } from "../../core/audits/check.ts";
import { openCheckThread } from "../../src/jobs/audits/check-thread.ts";
import { createPageOrder as order, SITE as site, START as URL } from "./page-order.ts";

const HTML = "<!doctype html><html lang=en><title>Acme</title><h1>Acme phones</h1><p>They ring.</p>";
const { signal } = new AbortController();
const LIMITS = { pageMs: 10_000, heapMegabytes: 256, idleMs: 30_000 };
/** A page of 5 MB that takes a second or two, and 100 MB. */
const heavy = () => "<p>a".repeat(1_300_000);

const fileOf = (text: string) => ({ bytes: Buffer.from(text), isTruncated: false, contentType: "text/xml" });

async function open(limits = LIMITS) {
  const thread = openCheckThread(limits);
  return { ...thread, [Symbol.asyncDispose]: () => thread.close() };
}

test("pages and sites are parsed and checked with all rules in a separate thread", async () => {
  await using thread = await open();
  expect(thread.checkRules).toEqual({ checksVersion: CHECKS_VERSION, pageChecks: PAGE_CHECKS.map(({ id }) => id) });
  const [page, again, found] = await Promise.all([
    thread.checkPage(order(HTML), signal),
    thread.checkPage(order(HTML), signal),
    thread.checkSite(site, signal),
  ]);
  expect(page).toMatchObject({
    title: "Acme",
    pageType: "home",
    digest: createHash("sha256").update(HTML).digest("hex"),
  });
  expect(page?.findings.map(({ check }) => check)).toEqual(PAGE_CHECKS.map(({ id }) => id));
  expect(again).toEqual(page);
  expect(found?.map(({ check }) => check)).toEqual(SITE_CHECKS.map(({ id }) => id));
});

test("a sitemap is parsed in it, and only the wanted pages return", async () => {
  await using thread = await open();
  const urlset = `<urlset>${[1, 2, 3].map((n) => `<url><loc>${URL}${n}</loc></url>`).join("")}</urlset>`;
  expect(
    await thread.readSitemap({ file: fileOf(urlset), wantedPages: [`${URL}3`, `${URL}9`, `${URL}1`] }, signal),
  ).toEqual({
    listedUrls: [`${URL}1`, `${URL}3`],
    otherUrls: [`${URL}2`],
    sitemaps: [],
    parseErrors: [],
  });
  const index = `<sitemapindex><sitemap><loc>${URL}a.xml</loc></sitemap></sitemapindex>`;
  expect(await thread.readSitemap({ file: fileOf(index), wantedPages: [`${URL}a.xml`] }, signal)).toEqual({
    listedUrls: [],
    otherUrls: [],
    sitemaps: [`${URL}a.xml`],
    parseErrors: [],
  });
});

test("a robots.txt is parsed in it", async () => {
  await using thread = await open();
  const text = `User-agent: OurBot\nDisallow: /x\nCrawl-delay: 3\nSitemap: ${URL}map.xml\nSitemap: /relative.xml`;
  const ask = (agent: string, path: string) => thread.readRobots({ text, agent, url: `${URL}${path}` }, signal);
  const sitemaps = [`${URL}map.xml`];
  expect(await ask("OurBot", "x1")).toEqual({ isAllowed: false, delay: 3, sitemaps });
  expect(await ask("OurBot", "y1")).toEqual({ isAllowed: true, delay: 3, sitemaps });
  expect(await ask("OtherBot", "x1")).toEqual({ isAllowed: true, delay: null, sitemaps });
});

test("pages of more sites than are cached are each checked with their own site", async () => {
  await using thread = await open();
  const sites = Array.from({ length: 12 }, (_, index) => ({ ...site, sitemap: { unread: `Reason ${index}.` } }));
  const reasonOf = async (facts: SiteSubject) => {
    const page = await thread.checkPage({ ...order(HTML), site: facts }, signal);
    return page?.findings.find(({ check }) => check === "sitemap_lists_page")?.message;
  };
  const asked = [...sites, ...sites.slice(0, 3), ...sites.slice(6)];
  const reasons = await Promise.all(asked.map(reasonOf));
  expect(reasons).toEqual(asked.map(({ sitemap }) => sitemap.unread));
});

test("a page beyond the time limit is aborted, and a new thread reads the next one", async () => {
  await using thread = await open({ heapMegabytes: 1024, idleMs: 30_000, pageMs: 1000 });
  expect(await thread.checkPage(order(HTML), signal)).toMatchObject({ title: "Acme" });
  expect(await thread.checkPage(order(heavy().repeat(4)), signal)).toBe(undefined);
  expect(await thread.checkPage(order(HTML), signal)).toMatchObject({ title: "Acme" });
});

test("a page beyond the memory limit is aborted, too", async () => {
  // In a separate process, since V8 may abort.
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", "test/audits/exhaust-thread.ts"]);
  expect(stdout).toBe("undefined Acme\n");
});

test("a request ends with its signal, and the next one does not", async () => {
  await using thread = await open();
  const stopping = new AbortController();
  const [one, other] = [thread.checkPage(order(heavy()), stopping.signal), thread.checkPage(order(HTML), signal)];
  setTimeout(() => stopping.abort(new Error("stopping")), 20);
  await expect(one).rejects.toThrow("stopping");
  expect(await other).toMatchObject({ title: "Acme" });
});

test("stops when idle, and starts again", async () => {
  await using thread = await open({ ...LIMITS, idleMs: 10 });
  expect(await thread.checkPage(order(HTML), signal)).toMatchObject({ title: "Acme" });
  await sleep(100);
  expect(await thread.checkPage(order(HTML), signal)).toMatchObject({ title: "Acme" });
});
