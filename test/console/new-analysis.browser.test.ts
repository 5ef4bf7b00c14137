import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { accessibilityFaults, nextColourSchemes } from "../support/accessibility.ts";
import { PASSWORD, signedInBrowser } from "../support/assistant.ts";
import { noChromium, openChromium } from "../support/chromium.ts";
import { chooseExtent } from "../support/proof.ts";
import { WITH_WORKER, world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;

/** Counts a person's clicks and edited fields in a tab over all pages. */
const COUNTING = `
  const note = (what) => sessionStorage.setItem("did", JSON.stringify([...JSON.parse(sessionStorage.getItem("did") ?? "[]"), what]));
  addEventListener("pointerdown", (event) => event.isTrusted && note("click"), true);
  const typed = new Set();
  addEventListener("input", (event) => {
    if (!event.target.matches("textarea, input:not([type=checkbox])") || typed.has(event.target)) return;
    typed.add(event.target);
    note("field");
  }, true);
`;

async function countInputs(page: Page): Promise<{ clicks: number; fields: number }> {
  const all = JSON.parse(await page.evaluate<string>('sessionStorage.getItem("did") ?? "[]"')) as string[];
  const of = (what: string) => all.filter((one) => one === what).length;
  return { clicks: of("click"), fields: of("field") };
}

/** Signs a browser in without a page. */
async function signIn(context: BrowserContext, w: World, email: string): Promise<void> {
  const { cookies } = await signedInBrowser(w, email);
  await context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: w.config.baseUrl })));
}

const next = (page: Page) => page.locator("button.primary").click();

test.skipIf(noChromium !== undefined)(
  "from the start of the program to the first chart of the demo a person clicks at most four times",
  async () => {
    await using w = await world({ env: { DEMO: "1", ...WITH_WORKER } });
    await using chromium = await openChromium();
    const context = await chromium.newContext();
    await context.addInitScript(COUNTING);
    const page = await context.newPage();
    // Creating the demo dominates, and is slow under load.
    page.setDefaultTimeout(100_000);
    // The first link is the one printed at start.
    await page.goto(w.setupLink ?? "");
    await page.getByLabel("Name", { exact: true }).fill("Ada");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("textbox", { name: "Organization" }).fill("Acme");
    await page.getByLabel("First workspace").fill("US");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("img", { name: "Presence over time" }).waitFor();
    expect(1 + (await countInputs(page)).clicks).toBeLessThanOrEqual(4);
  },
  120_000,
);

test.skipIf(noChromium !== undefined)(
  "the checklist alone leads from an empty workspace to a running analysis, in at most 12 clicks and 6 typed fields",
  async () => {
    await using w = await world();
    const { owner, workspace } = await w.acme();
    await using chromium = await openChromium();
    const context = await chromium.newContext();
    await context.addInitScript(COUNTING);
    await signIn(context, w, owner.email);
    const page = await context.newPage();
    await page.goto(w.config.baseUrl);
    const steps = page.locator(".checklist");
    expect(await steps.getByRole("heading").allInnerTexts()).toEqual([
      "Brand",
      "Prompts",
      "Price",
      "Run",
      "Connect an assistant",
    ]);
    await steps.getByRole("link", { name: "Set up your brand" }).click();
    await page.getByLabel("Brand", { exact: true }).fill("Kestrova");
    await page.getByLabel("Website").fill("kestrova.example");
    await page.getByLabel("Names", { exact: true }).fill("Milano Bar\nCaffe Uno");
    await page.getByLabel("Add names").click();
    await next(page);
    await page.getByLabel("Prompts", { exact: true }).fill("best espresso machine\nquiet espresso machine");
    await next(page);
    await page.getByRole("group", { name: "Sources" }).waitFor();
    await next(page);
    await page.getByLabel("How often").waitFor();
    await next(page);
    await page.getByRole("button", { name: "Start analysis: 24 credits" }).click();
    await page.getByRole("heading", { name: "Run 1 is waiting to start" }).waitFor();
    const done = await countInputs(page);
    const { body } = await owner.get(`${workspace.path}/analyses`);
    expect(body.data.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
      ["Kestrova: visibility", "launching"],
    ]);
    // Below 12 and 6; an increase needs a reason.
    expect(done).toEqual({ clicks: 7, fields: 4 });
    // The metrics page shows progress, with a link.
    await page.getByRole("link", { name: "Visibility", exact: true }).click();
    await page.getByRole("link", { name: "View the analysis" }).waitFor();
  },
  60_000,
);

/** Moves the focus by keyboard to a match. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let pressed = 0; pressed < 120; pressed++) {
    await page.keyboard.press("Tab");
    if ((await page.locator(`:is(${selector}):focus`).count()) > 0) return;
  }
  throw new Error(`the keyboard does not reach ${selector}`);
}

test.skipIf(noChromium !== undefined)(
  "the keyboard is enough to set an analysis up, to run it and to archive it, without script",
  async () => {
    await using w = await world();
    const { owner, organization, workspace } = await w.acme();
    await using chromium = await openChromium();
    const context = await chromium.newContext({ javaScriptEnabled: false });
    await signIn(context, w, owner.email);
    const page = await context.newPage();
    const type = async (field: string, text: string) => {
      await tabTo(page, `#${field}`);
      await page.keyboard.type(text);
    };
    const enter = async (selector: string, arrives: string) => {
      await tabTo(page, selector);
      await page.keyboard.press("Enter");
      await page.waitForURL(new RegExp(arrives));
    };
    await page.goto(`${w.config.baseUrl}/new/${organization.id}/${workspace.id}`);
    await enter('a[href$="/brand/what"]', "/brand/what$");
    await type("brand_name", "Kestrova");
    await type("website", "kestrova.example");
    await type("category", "espresso machines");
    await type("competitor_names", "Milano Bar");
    await tabTo(page, "#agree");
    await page.keyboard.press("Space");
    // Enter in a line is the first button: the next step.
    await tabTo(page, "#name");
    await page.keyboard.press("Enter");
    await page.waitForURL(/brand\/prompts/);
    await tabTo(page, "#prompt_0");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Which machine is quiet?");
    await page.keyboard.press("Enter");
    await page.waitForURL(/brand\/where/);
    await enter('[value="next"]', "brand/when");
    await tabTo(page, "#runs");
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("1");
    await page.keyboard.press("Enter");
    await page.waitForURL(/brand\/price/);
    await enter("main button.primary", "/analyses/.*done=created");
    await enter('[action$="/pause"] button', "done=pause");
    await enter('[action$="/resume"] button', "done=resume");
    await tabTo(page, ".ask summary");
    await page.keyboard.press("Enter");
    await enter('[action$="/archive"] button', "done=archive");
    const { body } = await owner.get(`${workspace.path}/analyses`);
    expect(body.data.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
      ["Kestrova: opinions", "archived"],
    ]);
  },
  60_000,
);

test.skipIf(noChromium !== undefined)(
  "no step of a new analysis has faults: empty, invalid, with 5,000 keywords, priced, expired and running",
  async () => {
    let now = new Date().toISOString();
    await using w = await world({ now: () => now });
    const { owner, organization, workspace } = await w.acme();
    await owner.post(`${workspace.path}/personas`, { name: "Anna", language: "en", country: "US" });
    await using chromium = await openChromium();
    const context = await chromium.newContext({ viewport: { width: 390, height: 844 } });
    await signIn(context, w, owner.email);
    const page = await context.newPage();
    const faults: Record<string, string[]> = {};
    const look = async (state: string) => {
      for (const colorScheme of nextColourSchemes()) {
        await page.emulateMedia({ colorScheme });
        const across = await page.evaluate<number>("document.documentElement.scrollWidth");
        faults[`${state}, ${colorScheme}`] = [
          ...(await accessibilityFaults(page)),
          ...(across > 390 ? [`${across} wide`] : []),
        ];
      }
    };
    const at = `${w.config.baseUrl}/new/${organization.id}/${workspace.id}`;
    await page.goto(`${w.config.baseUrl}/analyses/${organization.id}/${workspace.id}`);
    await look("no analysis");
    await page.goto(at);
    await look("choice");
    await page.goto(`${at}/audit/what`);
    await look("audit");
    await page.goto(`${at}/search/what`);
    await look("empty");
    await next(page);
    await page.getByText("Name your brand.").first().waitFor();
    await look("wrong");
    await page.getByLabel("Brand", { exact: true }).fill("Kestrova");
    await page.getByLabel("Website").fill("kestrova.example");
    await page.getByLabel("Names", { exact: true }).fill("Milano Bar");
    await page.getByLabel("Add names").check();
    await next(page);
    const rows = Array.from({ length: 5000 }, (_, row) => `topic ${row % 50},espresso machine ${row}`);
    const buffer = Buffer.from(`Topic,Keyword\n${rows.join("\n")}`);
    await page.locator("#keywords_file").setInputFiles({ name: "keywords.csv", mimeType: "text/csv", buffer });
    await next(page);
    await page.getByText("5,000 prompts in 50 topics.").waitFor();
    await look("columns of 5,000");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByLabel("Prompts", { exact: true }).waitFor();
    await look("5,000 keywords");
    await next(page);
    await page.getByLabel("Content of Topic").selectOption("keyword");
    await page.getByLabel("Content of Keyword").selectOption("persona");
    await next(page);
    await page.getByText("There is no persona of this name").first().waitFor();
    await look("5,000 wrong rows");
    await page.getByLabel("Content of Topic").selectOption("topic");
    await page.getByLabel("Content of Keyword").selectOption("keyword");
    await next(page);
    await look("where");
    await next(page);
    await page.getByLabel("Repeats per prompt").fill("1");
    await page.getByLabel("How often").selectOption("weekly");
    await next(page);
    await page.getByText("The last day is required").first().waitFor();
    await look("no last day");
    await page.getByLabel("How often").selectOption("once");
    await next(page);
    await page.getByText("This costs more credits than are available").waitFor();
    await look("too dear");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("link", { name: "Where" }).click();
    for (const name of ["Perplexity", "Claude", "Gemini"]) await page.getByRole("checkbox", { name }).uncheck();
    await next(page);
    await next(page);
    await page.getByText("The whole setup").click();
    await look("priced");
    now = new Date(Date.parse(now) + 16 * 60_000).toISOString();
    await page.reload();
    await page.getByRole("button", { name: "Show the price again" }).waitFor();
    await look("too old");
    await next(page);
    await page.getByRole("button", { name: "Start analysis: 5,000 credits" }).click();
    await page.getByRole("heading", { name: "Run 1 is waiting to start" }).waitFor();
    await look("running");
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((state) => [state, []])));
    expect(Object.keys(faults)).toHaveLength(chooseExtent(28, 14));
  },
  120_000,
);
