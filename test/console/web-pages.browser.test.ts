import { expect, test } from "vitest";
import { Browser } from "../../examples/browser.ts";
import { WEB_ROUTES } from "../../src/http/web/route-table.ts";
import { PASSWORD, signedInBrowser } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { world } from "../support/world.ts";
import { crawl, allPagesScene } from "./web-pages.ts";

/** The width of a phone, in pixels. */
const PHONE = 390;
const PAGES = WEB_ROUTES.filter(({ method, path }) => method === "get" && !/\.\w+$/.test(path)).map(({ path }) => path);
const SIGNED_OUT = [...PAGES.filter((path) => !path.includes(":")), "/nothing"];

test.skipIf(noChromium !== undefined)(
  "no page is wider than a phone",
  async () => {
    // Fault: a table or row of buttons scrolled the whole page sideways (536 pixels of 390).
    await using s = await allPagesScene();
    const { baseUrl } = s.w.config;
    const pages = await crawl(await signedInBrowser(s.w, s.owner.email), baseUrl, ["/", ...s.unlinked]);
    const addresses = [...pages.map(({ url }) => url.href), s.probe.authorizeUrl()];
    expect(addresses.length).toBeGreaterThan(20);
    await using chromium = await openChromium();
    const page = await chromium.newPage({ viewport: { width: PHONE, height: 800 } });
    const wide: string[] = [];
    const look = async (address: string) => {
      const response = await page.goto(new URL(address, baseUrl).href);
      if ((response?.status() ?? 500) >= 500) wide.push(`${address} failed`);
      await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
      const across = await page.evaluate<number>("document.documentElement.scrollWidth");
      if (across > PHONE) wide.push(`${address} is ${across} of ${PHONE}`);
    };
    for (const path of SIGNED_OUT) await look(path);
    await page.goto(`${baseUrl}/sign-in`);
    await page.getByLabel("E-mail").fill(s.owner.email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Visibility" }).waitFor();
    for (const address of addresses) await look(address);
    expect(wide).toEqual([]);
  },
  120_000,
);

test("links lead from the first page to every page of the route table that needs a sign-in", async () => {
  // Fault: tests over all pages follow links, so a page without a link was in none of them.
  await using s = await allPagesScene();
  const { baseUrl } = s.w.config;
  const visited = await crawl(await signedInBrowser(s.w, s.owner.email), baseUrl, ["/", ...s.unlinked]);
  const paths = visited.map(({ url }) => url.pathname);
  const missed: string[] = [];
  for (const path of PAGES.filter((one) => one !== "/" && one !== "/sign-in/again")) {
    const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`);
    if (paths.some((one) => pattern.test(one))) continue;
    const signedOut = await fetch(new URL(path.replaceAll(":", ""), baseUrl), { redirect: "manual" });
    if (signedOut.headers.get("location")?.startsWith("/sign-in?next=")) missed.push(path);
  }
  expect(missed, "Link to each of these pages, or add its address to unlinked in web-pages.ts.").toEqual([]);
});

/** Posts that cannot be undone. */
const FOR_GOOD = /\/(revoke|remove|leave|disconnect|archive|codes|reset-factor)$/;

function actionsIn(text: string): string[] {
  return [...text.matchAll(/<form method="post" action="([^"]*)"/g)].map(([, at = ""]) => at);
}

test("asks before an irreversible action, naming the loss", async () => {
  // Fault: one press on Revoke, Remove, Leave or Disconnect, next to harmless buttons, took effect.
  await using s = await allPagesScene();
  const browser = await signedInBrowser(s.w, s.owner.email);
  const pages = await crawl(browser, s.w.config.baseUrl, ["/", ...s.unlinked]);
  const [asked, unasked] = [new Set<string>(), new Set<string>()];
  for (const { text, url } of pages) {
    const outside = text.replaceAll(/<details class="ask">[\s\S]*?<\/details>/g, "");
    for (const action of actionsIn(text).filter((at) => FOR_GOOD.test(at))) asked.add(action);
    for (const action of actionsIn(outside).filter((at) => FOR_GOOD.test(at)))
      unasked.add(`${action} on ${url.pathname}`);
  }
  expect([...unasked]).toEqual([]);
  expect(asked.size).toBeGreaterThan(7);
});

test("shows a person with a forgotten password what to do", async () => {
  await using w = await world();
  await w.acme();
  const page = await new Browser().get(`${w.config.baseUrl}/sign-in`);
  expect(page.text).toMatch(/Forgot your password\?[^<]*link to set a new one/);
});
