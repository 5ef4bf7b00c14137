import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityFaults } from "../support/accessibility.ts";
import { givePassword, PASSWORD } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { collectScene } from "../collecting/scene.ts";
import { chooseExtent } from "../support/proof.ts";
import { searchWorld } from "../metrics/search-metrics-scene.ts";
import { world } from "../support/world.ts";
import { demoConsole } from "./demo-console.ts";
import { addressOf, CONSOLE_PAGES } from "./pages.ts";

type View = readonly [width: number, colorScheme: "light" | "dark", isJudgedByAxe: boolean];

/** 640 corresponds to 1280 pixels at 200 % zoom. */
const VIEWS: readonly View[] = chooseExtent(
  [1280, 640, 390].flatMap((width): View[] => [
    [width, "light", true],
    [width, "dark", true],
  ]),
  [
    [1280, "light", true],
    [640, "light", false],
    [390, "dark", false],
  ],
);

/** Faults of the current page: by axe, or wider than the screen. */
async function faultsOf(page: Page, width: number, isJudged = true): Promise<string[]> {
  const across = await page.evaluate<number>("document.documentElement.scrollWidth");
  return [...(isJudged ? await accessibilityFaults(page) : []), ...(across > width ? [`${across} wide`] : [])];
}

async function signIn(page: Page, baseUrl: string, email: string): Promise<void> {
  await page.goto(baseUrl);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1 }).waitFor();
}

/** Faults of pages at each width, light and dark, including parts missing on narrow screens. */
async function faultsIn(page: Page, addresses: readonly string[]): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  for (const address of addresses) {
    await page.goto(address);
    Object.assign(faults, await faultsHere(page));
  }
  return faults;
}

/** Like faultsIn, for the current page. */
async function faultsHere(page: Page): Promise<Record<string, string[]>> {
  const faults: Record<string, string[]> = {};
  await page.evaluate("document.querySelectorAll('.behind').forEach((one) => (one.open = true))");
  const parts = new Set<string>();
  for (const [width, colorScheme, isJudged] of VIEWS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const found = await faultsOf(page, width, isJudged);
    if (found.length > 0) faults[`${page.url()} ${colorScheme} ${width}`] = found;
    parts.add((await page.locator("main :is(h1, h2, h3):visible").allInnerTexts()).join());
  }
  if (parts.size > 1) faults[`${page.url()} leaves out at some width`] = [...parts];
  return faults;
}

/**
 * Pages to which the lists of sections lead: an answer, an action, a brief, an audit, an analysis.
 */
const DETAILS: readonly (readonly [section: string, link: string])[] = [
  ["answers", ".answers tbody th a"],
  ["actions", "main a[href^='/actions/']:not([href*='.csv'])"],
  ["audits", "main tbody a[href^='/audits/']"],
  ["analyses", "main tbody a[href^='/analyses/']"],
];

test.skipIf(noChromium !== undefined)(
  "no page has axe faults, overflows or loses a part, light and dark, at 200 % and on a phone",
  async () => {
    await using s = await demoConsole();
    await using running = await searchWorld();
    await using empty = await world();
    const { owner, organization, workspace } = await empty.acme();
    await using chromium = await openChromium();
    const visitor = async (w: Parameters<typeof givePassword>[0], { id, email }: { id: string; email: string }) => {
      await givePassword(w, id);
      const page = await chromium.newPage();
      await signIn(page, w.config.baseUrl, email);
      return page;
    };
    const sections = chooseExtent(Object.keys(CONSOLE_PAGES), [
      "visibility",
      "prompts",
      "answers",
      "perception",
      "actions",
    ]);
    const demo = s.w.config.baseUrl;
    const page = await visitor(s.w, s.reader);
    const at = (name: string) => demo + addressOf(name, s.analysis);
    const details: string[] = [];
    for (const [name, link] of chooseExtent(DETAILS, DETAILS.slice(0, 2))) {
      await page.goto(at(name));
      await page.locator(link).first().click();
      details.push(page.url());
    }
    const wrong = [`${at("visibility")}?collect=nowhere`, `${demo}/visibility/nowhere/nowhere`];
    const ofDemo = await faultsIn(page, [...sections.map(at), ...details, ...wrong]);
    const other = { organizationId: organization.id, workspaceId: workspace.id };
    // Empty pages look nearly alike.
    const ofEmpty = await faultsIn(
      await visitor(empty, owner),
      chooseExtent(sections, ["analyses"]).map((name) => empty.config.baseUrl + addressOf(name, other)),
    );
    const own = { organizationId: running.organization.id, workspaceId: running.workspace.id };
    const progress = await visitor(running, running.owner);
    const ofRunning = await faultsIn(progress, [running.config.baseUrl + addressOf("visibility", own)]);
    expect(await progress.getByRole("progressbar").count()).toBe(1);
    expect({ ...ofDemo, ...ofEmpty, ...ofRunning }).toEqual({});
  },
  600_000,
);

test.skipIf(noChromium !== undefined)(
  "on a phone, the navigation scrolls to the open section, and table heads take one line",
  async () => {
    // Fault: the open one of the last seven sections was out of view, and heads took six lines.
    await using w = await collectScene({ env: { SERVE: "core,web" } });
    const { owner, organization, workspace } = w;
    await w.create(["phone 0"], { sources: ["ASSISTANT_B"] });
    await givePassword(w, owner.id);
    await using chromium = await openChromium();
    const page = await chromium.newPage({ viewport: { width: 390, height: 844 } });
    await signIn(page, w.config.baseUrl, owner.email);
    for (const name of ["visibility", "actions", "analyses", "settings"]) {
      await page.goto(
        w.config.baseUrl + addressOf(name, { organizationId: organization.id, workspaceId: workspace.id }),
      );
      const box = await page.locator("nav a[aria-current]").first().boundingBox();
      expect({ name, isSeen: box !== null && box.x >= 15 && box.x + box.width <= 390 }).toEqual({ name, isSeen: true });
      if (name !== "analyses") continue;
      const head = await page.locator("thead").boundingBox();
      expect(head?.height).toBeLessThan(60);
    }
  },
  60_000,
);

/** Views that need more than the section's address: filtered, empty, of another kind. */
const NARROWED: readonly string[] = [
  "perception?persona=PERSONA",
  "perception?analysis=ANALYSIS",
  "sources?by=search",
  "sources?by=page&sort=domain",
  "brands?show=archived",
  "brands?suggested=dismissed",
  "answers?names=nothing+has+this+name",
  "analyses?status=paused",
  "actions?status=dismissed",
];

test.skipIf(noChromium !== undefined)(
  "no filtered or empty view has faults, nor has a rejected form",
  async () => {
    await using s = await demoConsole();
    await givePassword(s.w, s.reader.id);
    await using chromium = await openChromium();
    const page = await chromium.newPage();
    await signIn(page, s.w.config.baseUrl, s.reader.email);
    const at = (name: string) => s.w.config.baseUrl + addressOf(name, s.analysis);
    await page.goto(at("perception"));
    const persona = (await page.locator("select[name=persona] option").nth(1).getAttribute("value")) ?? "";
    const views = chooseExtent(NARROWED, NARROWED.slice(0, 1)).map((view) => {
      const [name = "", query = ""] = view.split("?");
      const asked = query.replace("PERSONA", persona).replace("ANALYSIS", s.analysis.id);
      return `${at(name)}${at(name).includes("?") ? "&" : "?"}${asked}`;
    });
    const imports = `${at("analyses")}/${s.analysis.id}/import`;
    const faults = await faultsIn(page, [...views, imports]);

    // Settings that another owner changed meanwhile come back with both.
    const path = `/organizations/${s.analysis.organizationId}`;
    await page.goto(`${s.w.config.baseUrl}${path}`);
    await s.reader.patch(`/v1${path}`, { monthly_credit_cap: 900 });
    await page.getByLabel("Name", { exact: true }).fill("Renamed");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Renamed");
    expect(await page.getByLabel(/^Monthly credit cap/).inputValue()).toBe("900");
    Object.assign(faults, await faultsHere(page));

    await page.goto(at("brands"));
    await page.locator("main tbody a[href*='/brands/']").first().click();
    await page.getByLabel("Parent brand, of a sub-brand or product").fill("Nowhere at all");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    expect({ ...faults, ...(await faultsHere(page)) }).toEqual({});
  },
  600_000,
);

/** Layout shifts during load, and the elements that moved. */
const SHIFTS = `new Promise((done) => {
  const moved = [];
  const note = ({ value, sources }) => moved.push(value, ...sources.map(({ node }) => node?.nodeName ?? "gone"));
  new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(moved), 200);
})`;

test.skipIf(noChromium !== undefined)(
  "nothing moves while a page loads over a slow connection",
  async () => {
    // Fault: columns moved as the rows of their table came.
    await using s = await demoConsole();
    await givePassword(s.w, s.reader.id);
    await using chromium = await openChromium();
    const page = await chromium.newPage({ viewport: { width: 1280, height: 900 } });
    await signIn(page, s.w.config.baseUrl, s.reader.email);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Network.enable");
    const slow = { offline: false, latency: 20, downloadThroughput: 60_000, uploadThroughput: 60_000 };
    await cdp.send("Network.emulateNetworkConditions", slow);
    const moved: Record<string, unknown[]> = {};
    const names = chooseExtent(Object.keys(CONSOLE_PAGES), ["visibility", "prompts", "analyses"]);
    for (const name of names) {
      await page.goto(s.w.config.baseUrl + addressOf(name, s.analysis));
      moved[name] = await page.evaluate<unknown[]>(SHIFTS);
    }
    expect(moved).toEqual(Object.fromEntries(names.map((name) => [name, []])));
  },
  120_000,
);

/** Presses Tab until a match has visible focus, then Enter. */
async function openByKeyboard(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 400; presses += 1) {
    await page.keyboard.press("Tab");
    const isThere = `document.activeElement.matches(${JSON.stringify(selector)})`;
    if (!(await page.evaluate<boolean>(isThere))) continue;
    expect(await page.evaluate<string>("getComputedStyle(document.activeElement).outlineStyle")).not.toBe("none");
    return page.keyboard.press("Enter");
  }
  throw new Error(`${selector} is not reached by Tab`);
}

test.skipIf(noChromium !== undefined)(
  "by keyboard, a person signs in, opens the answers behind a cell and one of them, and returns",
  async () => {
    await using s = await demoConsole();
    await givePassword(s.w, s.reader.id);
    await using chromium = await openChromium();
    const page = await chromium.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(s.w.config.baseUrl);
    await page.getByLabel("E-mail").focus();
    await page.keyboard.type(s.reader.email);
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: "Presence over time" }).waitFor();
    await openByKeyboard(page, ".heat td a");
    await page.getByRole("heading", { level: 1, name: "Answers" }).waitFor();
    const list = page.url();
    await openByKeyboard(page, ".answers tbody th a");
    await page.getByRole("heading", { name: "Brands in this answer" }).waitFor();
    await openByKeyboard(page, ".crumb a");
    await page.getByRole("heading", { level: 1, name: "Answers" }).waitFor();
    await page.goBack();
    await page.goBack();
    expect(page.url()).toBe(list);
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "an empty workspace shows the steps to its first figures, by keyboard too",
  async () => {
    await using w = await world();
    const { owner, organization, workspace } = await w.acme();
    await givePassword(w, owner.id);
    await using chromium = await openChromium();
    const page = await chromium.newPage({ viewport: { width: 390, height: 800 } });
    await signIn(page, w.config.baseUrl, owner.email);
    const steps = ["Brand", "Prompts", "Price", "Run", "Connect an assistant"];
    expect(await page.locator(".checklist h2").allInnerTexts()).toEqual(steps);
    await page.goto(`${w.config.baseUrl}/visibility/${organization.id}/${workspace.id}`);
    expect(await page.locator(".checklist h2").allInnerTexts()).toEqual(steps);
    expect(await faultsOf(page, 390)).toEqual([]);
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Skip to content");
    for (let at = 0; at < 2; at++) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.locator(".switch").getAttribute("open")).toBe("");
    expect(await faultsOf(page, 390)).toEqual([]);
  },
  60_000,
);
