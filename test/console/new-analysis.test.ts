import { connect } from "node:net";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { hashSecret } from "../../auth/keys/random-secret.ts";
import type { Browser, Visit } from "../../examples/browser.ts";
import { alertText } from "../support/alert-text.ts";
import { givePassword, PASSWORD, signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { openCommitted } from "../support/committed.ts";
import { methodsScene } from "../metrics/methods-scene.ts";
import { world } from "../support/world.ts";
import { readFaults, sendStep, buildStep, stepOfAddress, stepForm, type Fields } from "./wizard-pages.ts";

const KEYWORDS = "Home; best espresso machine\nHome; quiet espresso machine\nTravel; small espresso machine";
const WHAT: Fields = {
  brand_name: "Kestrova",
  website: "www.kestrova.example",
  competitor_names: "Milano Bar\nCaffe Uno",
  agree: "1",
};

/** An empty workspace with its owner's browser. */
async function scene(options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const { owner, organization, workspace } = await w.acme();
  const browser = await signedInBrowser(w, owner.email);
  const at = `${w.config.baseUrl}/new/${organization.id}/${workspace.id}`;
  const read = async (path: string) => (await owner.get(`${workspace.path}${path}`)).body;
  return {
    w,
    owner,
    organization,
    workspace,
    browser,
    at,
    read,
    analyses: async () => (await read("/analyses")).data as { id: string; name: string }[],
    /** A browser of another person of the organization. */
    as: async (email: string, role: "editor" | "viewer") => {
      await w.signIn(email, { organizationId: organization.id, role });
      return signedInBrowser(w, email);
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** Sends the steps of a search analysis up to its price. */
async function toPrice({ browser, at }: Scene, over: { what?: Fields; when?: Fields } = {}): Promise<Visit> {
  let page = await browser.get(`${at}/search/what`);
  page = await sendStep(browser, page, { ...WHAT, ...over.what });
  page = await sendStep(browser, page, { keywords: KEYWORDS });
  page = await sendStep(browser, page);
  page = await sendStep(browser, page, { sources: ["ASSISTANT_A"] });
  page = await sendStep(browser, page, { runs: "2", ...over.when });
  if (stepOfAddress(page) !== "price")
    throw new Error(`${page.url.pathname}: ${JSON.stringify(readFaults(page.text))}`);
  return page;
}

test("a search analysis is created in steps: brands, keywords, sources, schedule, price, confirmation", async () => {
  await using s = await scene();
  const when = { every: "weekly", weekday: "friday", ends: "2099-01-01" };
  await expect(toPrice(s, { when })).rejects.toThrow("within a year");
  const page = await toPrice(s, { when: { ...when, every: "once", max_spend: "5" } });
  expect(shownText(page.text)).toContain("Simulated, with invented answers: ChatGPT.");
  const shown = shownText(page.text);
  expect(shown).toContain("Cost 6 credits 6 credits x 1 run");
  expect(shown).toContain("Credits available 10,000 9,994 after this");
  expect(shown).toContain("ChatGPT: prompts x repeats, each run 6 1 6");
  expect(shown).toContain("at most $5 in total");
  expect(shown).toContain("Own brand: Kestrova, https://www.kestrova.example");
  expect(await s.analyses()).toEqual([]);
  const made = await sendStep(s.browser, page);
  const [analysis] = await s.analyses();
  expect([made.url.pathname, analysis?.name]).toEqual([
    `/analyses/${s.organization.id}/${s.workspace.id}/${analysis?.id}`,
    "Kestrova: visibility",
  ]);
  expect(shownText(made.text)).toContain("Created. The first run starts now.");
  const whole = await s.read(`/analyses/${analysis?.id}`);
  expect(whole.max_spend_usd).toBe(5);
  expect(whole.setup).toEqual({
    website: "https://www.kestrova.example",
    sources: ["ASSISTANT_A"],
    country: "US",
    language: "en",
    device: "desktop",
    runs_per_prompt: 2,
  });
  const { data: keywords } = await s.read(`/analyses/${analysis?.id}/keywords`);
  expect(keywords.map(({ text, topic }: { text: string; topic: string }) => [text, topic])).toEqual([
    ["best espresso machine", "Home"],
    ["quiet espresso machine", "Home"],
    ["small espresso machine", "Travel"],
  ]);
  const { data: brands } = await s.read("/brands");
  const named = brands.map(({ name, relationship, domains }: Record<string, unknown>) => [name, relationship, domains]);
  expect(named).toEqual([
    ["Kestrova", "mine", ["kestrova.example"]],
    ["Milano Bar", "competitor", []],
    ["Caffe Uno", "competitor", []],
  ]);
  expect(whole.competitor_ids).toEqual(brands.slice(1).map(({ id }: { id: string }) => id));
});

test("a failed step keeps all fields with an error at each invalid one; adding brands needs confirmation", async () => {
  await using s = await scene();
  const first = await s.browser.get(`${s.at}/search/what`);
  const typed = { brand_name: "Kestrova <b>", website: "no site", competitor_names: "Uno\nDue", name: 'My "name"' };
  const wrong = await sendStep(s.browser, first, typed);
  expect([wrong.status, readFaults(wrong.text)]).toEqual([
    400,
    { website: "Enter the address of a website, such as https://example.com." },
  ]);
  expect(stepForm(wrong).fields).toMatchObject(typed);
  const unsaid = await sendStep(s.browser, wrong, { website: "kestrova.example" });
  expect([unsaid.status, readFaults(unsaid.text)]).toEqual([
    400,
    { agree: "Tick this to add to the catalog: Kestrova <b>, Uno, Due." },
  ]);
  expect((await s.read("/brands")).data).toEqual([]);
  const keywords = await sendStep(s.browser, unsaid, { agree: "1" });
  expect(stepOfAddress(keywords)).toBe("keywords");
  // Sent twice, from a page that is still open: the brands are there already.
  expect(stepOfAddress(await sendStep(s.browser, unsaid, { agree: "1" }))).toBe("keywords");
  expect((await s.read("/brands")).data).toHaveLength(3);
  const none = await sendStep(s.browser, keywords, { keywords: "" });
  expect([none.status, readFaults(none.text)]).toEqual([400, { keywords: "Enter at least one prompt, one per line." }]);
  const where = await sendStep(s.browser, none, { keywords: "best machine" });
  const nowhere = await sendStep(s.browser, where, { country: "XX", language: "Klingon", sources: ["ASSISTANT_B"] });
  expect([nowhere.status, readFaults(nowhere.text)]).toEqual([400, { language: "Choose a language from the list." }]);
  expect(stepForm(nowhere).fields["sources"]).toEqual(["ASSISTANT_B"]);
  const how = await sendStep(s.browser, nowhere, { language: "de", country: "DE" });
  const often = await sendStep(s.browser, how, {
    every: "monthly",
    runs: "11",
    at: "25:00",
    time_zone: "Mars",
    max_spend: "-1",
  });
  expect([often.status, readFaults(often.text)]).toEqual([
    400,
    {
      runs: "Enter a whole number from 1 to 10.",
      max_spend: "Enter an amount from 0.01 to 1,000,000 US dollars, or leave it empty.",
    },
  ]);
  const refused = await sendStep(s.browser, often, { runs: "3", max_spend: "" });
  expect([refused.status, readFaults(refused.text)]).toEqual([
    400,
    {
      at: "The time is not a time from 00:00 to 23:59.",
      time_zone: "The time zone is not a time zone, such as Europe/Berlin.",
      ends: "The last day is required, so that the whole cost is known before the confirmation.",
    },
  ]);
  expect(stepForm(refused).fields).toMatchObject({ every: "monthly", runs: "3", at: "25:00", time_zone: "Mars" });
});

test("back, reload and step links lose nothing, even in an invalid step", async () => {
  await using s = await scene();
  const price = await toPrice(s);
  const when = await sendStep(s.browser, price, {}, "back");
  expect([stepOfAddress(when), stepForm(when).fields["runs"]]).toEqual(["when", "2"]);
  const where = await sendStep(s.browser, when, { runs: "many" }, "back");
  expect([stepOfAddress(where), stepForm(where).fields["sources"]]).toEqual(["where", ["ASSISTANT_A"]]);
  const columns = await sendStep(s.browser, where, { language: "fr" }, "back");
  const keywords = await sendStep(s.browser, columns, {}, "back");
  expect([stepOfAddress(keywords), stepForm(keywords).fields["keywords"]]).toEqual(["keywords", KEYWORDS]);
  const what = await sendStep(s.browser, keywords, {}, "back");
  const { brand, competitors, website, brand_name: typed } = stepForm(what).fields;
  const { data } = await s.read("/brands");
  const [own, ...rivals] = data.map(({ id }: { id: string }) => id);
  expect([brand, competitors, website, typed]).toEqual([own, rivals, "www.kestrova.example", ""]);
  const links = [...what.text.matchAll(/<li class="sent"><a href="([^"]*)"/g)].map(([, href = ""]) => href);
  const pages = await Promise.all(links.map((href) => s.browser.get(new URL(href, what.url))));
  expect(pages.map((page) => stepOfAddress(page))).toEqual(["keywords", "where", "when"]);
  expect(stepForm(pages[1] as Visit).fields["language"]).toBe("fr");
  expect(stepForm(pages[2] as Visit).fields["runs"]).toBe("many");
  expect(await s.analyses()).toEqual([]);
});

/** Sends the step of keywords with a file, as a browser does. */
async function upload(
  browser: Browser,
  page: Visit,
  file: Uint8Array<ArrayBuffer>,
  fill: Fields = {},
): Promise<Response> {
  const { url, body } = buildStep(page, fill);
  const form = new FormData();
  for (const [name, value] of body) form.append(name, value);
  form.append("keywords_file", new Blob([file], { type: "text/csv" }), "keywords.csv");
  const headers = {
    origin: url.origin,
    "sec-fetch-site": "same-origin",
    cookie: browser.cookieHeader(url),
    referer: page.url.href,
  };
  return fetch(url, { method: "POST", redirect: "manual", body: form, headers });
}

test("an uploaded CSV of 5,000 keywords is parsed by its columns, which can be corrected", async () => {
  await using s = await scene();
  const first = await sendStep(s.browser, await s.browser.get(`${s.at}/search/what`), WHAT);
  const rows = Array.from({ length: 5000 }, (_, at) => `${at % 7};stra\u00dfe ${at};ToFu`);
  // Windows-1252, as saved by a spreadsheet.
  const text = Buffer.from(`Cluster;Words;Stage\r\n${rows.join("\r\n")}\r\n`, "latin1");
  const sent = await upload(s.browser, first, text);
  expect(sent.status).toBe(303);
  const columns = await s.browser.get(new URL(sent.headers.get("location") ?? "", first.url));
  const guessed = stepForm(columns).fields;
  // No column has a known name.
  expect(guessed).toMatchObject({ separator: "semicolon", column_0: "topic", column_1: "keyword", column_2: "" });
  expect(shownText(columns.text)).toContain("5,001 prompts in 8 topics.");
  const tooMany = await sendStep(s.browser, columns);
  expect(readFaults(tooMany.text)).toEqual({});
  expect([tooMany.status, shownText(tooMany.text)]).toEqual([
    400,
    expect.stringContaining("There are 5,001 prompts: leave out 1. An analysis takes up to 5,000."),
  ]);
  const where = await sendStep(s.browser, tooMany, { head: "1", column_2: "funnel_stage" });
  expect(stepOfAddress(where)).toBe("where");
  const again = await sendStep(s.browser, where, {}, "back");
  expect(stepForm(again).fields).toMatchObject({ head: ["1"], column_2: "funnel_stage" });
  expect(shownText(again.text)).toContain("5,000 prompts in 7 topics.");
  const other = await sendStep(s.browser, again, { separator: "none" });
  expect(shownText(other.text)).toContain("5,000 prompts in 1 topic.");
  const back = await sendStep(s.browser, await sendStep(s.browser, other, {}, "back"), {}, "next");
  expect([stepOfAddress(back), stepForm(back).fields["separator"]]).toEqual(["columns", "none"]);
});

test("a brand analysis proposes the prompts of its price, which a person changes, leaves out and adds to", async () => {
  await using s = await scene();
  const first = await s.browser.get(`${s.at}/brand/what`);
  const wrong = await sendStep(s.browser, first, { ...WHAT, competitor_names: "", category: "" });
  expect(readFaults(wrong.text)).toEqual({
    category: "Say what people look for, such as espresso machines, in at most 200 characters.",
  });
  const alone = await sendStep(s.browser, wrong, { category: "espresso machines" });
  expect(readFaults(alone.text)).toEqual({ competitor_names: "Choose or name 1 to 10 competitors." });
  const prompts = await sendStep(s.browser, alone, { competitor_names: "Milano Bar" });
  const { data } = await s.read("/brands");
  const [brand, rival] = data.map(({ id }: { id: string }) => id);
  const setup = {
    name: "x",
    brand_id: brand,
    competitor_ids: [rival],
    category: "espresso machines",
    sources: ["ASSISTANT_A"],
  };
  const priced = await s.owner.post(`${s.workspace.path}/brand-analyses/price`, setup);
  const texts = priced.body.setup.prompts.map(({ text }: { text: string }) => text) as string[];
  const shown = Object.entries(stepForm(prompts).fields).filter(([name]) => name.startsWith("prompt_"));
  expect(shown).toEqual(texts.map((text, at) => [`prompt_${at}`, text]));
  const named = await sendStep(s.browser, prompts, {
    prompt_0: "Is Kestrova good?",
    prompt_1: "",
    own_prompts: "Which is quiet?",
  });
  expect([named.status, readFaults(named.text)]).toEqual([
    400,
    { prompt_0: "It names a brand; an unaided prompt names none." },
  ]);
  expect(stepForm(named).fields).toMatchObject({ prompt_0: "Is Kestrova good?", prompt_1: texts[2], own_prompts: "" });
  const where = await sendStep(s.browser, named, { prompt_0: "Which is good?" });
  const when = await sendStep(s.browser, where, { sources: ["ASSISTANT_B"], countries: "Germany, us" });
  const price = await sendStep(s.browser, when, { runs: "1" });
  await sendStep(s.browser, price);
  const [analysis] = await s.analyses();
  const { setup: made } = await s.read(`/analyses/${analysis?.id}`);
  expect(made).toMatchObject({ sources: ["ASSISTANT_B"], countries: ["DE", "US"], language: "en", runs_per_prompt: 1 });
  const asked = new Set<string>();
  for (let cursor = ""; ;) {
    const { data: rows, next_cursor: next } = await s.read(`/analyses/${analysis?.id}/prompts?limit=100${cursor}`);
    for (const { text } of rows as { text: string }[]) asked.add(text);
    if (next === null) break;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
  const wanted = ["Which is good?", ...texts.slice(2), "Which is quiet?"];
  expect([...asked].toSorted()).toEqual([...new Set(wanted)].toSorted());
});

test("unchanged prompts are regenerated in another language; changed ones stay until regenerated", async () => {
  await using s = await scene();
  const what = { ...WHAT, category: "Espressomaschinen" };
  const prompts = await sendStep(s.browser, await s.browser.get(`${s.at}/brand/what`), what);
  const where = await sendStep(s.browser, prompts);
  const french = await sendStep(s.browser, await sendStep(s.browser, where, { language: "de" }, "next"), {}, "back");
  const german = await sendStep(s.browser, french, {}, "back");
  expect(stepForm(german).fields["prompt_0"]).not.toBe(stepForm(prompts).fields["prompt_0"]);
  const edited = await sendStep(s.browser, german, { prompt_0: "Welche ist leise?" });
  const untold = await sendStep(s.browser, edited, { language: "ar" });
  expect(stepOfAddress(untold)).toBe("when");
  const again = await s.browser.get(german.url);
  expect(stepForm(again).fields["prompt_0"]).toBe("Welche ist leise?");
  const anew = await sendStep(s.browser, again, {}, "anew");
  // There are no templates in this language.
  expect(Object.keys(stepForm(anew).fields)).toEqual(["own_prompts"]);
  const none = await sendStep(s.browser, anew);
  expect(readFaults(none.text)).toEqual({ own_prompts: "Write at least one prompt." });
});

test("a GEO audit is created from a sitemap or a list", async () => {
  await using s = await scene();
  const first = await s.browser.get(`${s.at}/audit/what`);
  const list = {
    website: "www.kestrova.example",
    pages_of: "list",
    urls: "https://www.kestrova.example/\nhttps://rival.example/",
  };
  const when = await sendStep(s.browser, first, list);
  const wrong = await sendStep(s.browser, when);
  expect([wrong.status, readFaults(wrong.text)]).toEqual([
    400,
    { urls: "Address 2 is not of the website; audit each site by itself." },
  ]);
  const price = await sendStep(s.browser, await sendStep(s.browser, wrong, { pages_of: "sitemap", max_pages: "3" }));
  expect(shownText(price.text)).toContain("Cost 3 credits 3 credits x 1 run");
  // Long lists of pages name the page of the quote.
  const quote = await s.browser.get(`${s.w.config.baseUrl}/approve/${String(stepForm(price).fields["quote_id"])}`);
  expect([quote.status, shownText(quote.text)]).toEqual([
    200,
    expect.stringContaining("Website: https://www.kestrova.example/"),
  ]);
  await sendStep(s.browser, price);
  expect((await s.analyses()).map(({ name }) => name)).toEqual(["Audit of kestrova.example"]);
});

test("a double submission and one from a stale page create one analysis, of the setup whose price was shown", async () => {
  await using s = await scene();
  const price = await toPrice(s);
  // In another tab the same draft is changed and priced.
  const when = await sendStep(s.browser, price, {}, "back");
  await sendStep(s.browser, when, { runs: "5" });
  const [one, two] = await Promise.all([sendStep(s.browser, price), sendStep(s.browser, price)]);
  const [analysis, ...others] = await s.analyses();
  expect([one.url.href, others]).toEqual([two.url.href, []]);
  expect((await s.read(`/analyses/${analysis?.id}`)).setup.runs_per_prompt).toBe(2);
  const back = await s.browser.get(price.url);
  expect(shownText(back.text)).toContain("The analysis was created. View the analysis");
  expect((await s.owner.get(`${s.organization.path}/credits`)).body.reserved).toBe(6);
});

test("an expired price creates nothing, says so, and is renewed with one press without typing", async () => {
  let now = "2026-11-02T08:00:00.000Z";
  await using s = await scene({ now: () => now });
  const price = await toPrice(s);
  now = "2026-11-02T08:15:01.000Z";
  const late = await sendStep(s.browser, price);
  expect([late.status, alertText(late.text)]).toEqual([
    409,
    "The price is more than 15 minutes old, so nothing was started and nothing spent. Show the price again.",
  ]);
  expect(shownText((await s.browser.get(price.url)).text)).toContain("This price is more than 15 minutes old.");
  const again = await sendStep(s.browser, late, {}, "again");
  expect([stepOfAddress(again), stepForm(again).fields["quote_id"]]).toEqual([
    "price",
    expect.not.stringMatching(String(stepForm(price).fields["quote_id"])),
  ]);
  await sendStep(s.browser, again);
  const owner = await s.w.signIn(s.owner.email);
  expect((await owner.get(`${s.workspace.path}/analyses`)).body.data).toHaveLength(1);
});

/** Date in this number of days. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

test("pressing the button approves a cost above the approval limit; an unaffordable one is not created", async () => {
  await using s = await scene();
  await s.owner.patch(s.organization.path, { approval_above_credits: 1, monthly_credit_cap: 100 });
  await sendStep(s.browser, await toPrice(s));
  expect(await s.analyses()).toHaveLength(1);
  const what = { brand_name: "", competitor_names: "" };
  const capped = await toPrice(s, { what, when: { every: "daily", runs: "10", ends: dayIn(30) } });
  const refused = await sendStep(s.browser, capped);
  expect([refused.status, alertText(refused.text)]).toEqual([
    402,
    expect.stringContaining("the monthly cap leaves 94"),
  ]);
  const over = await toPrice(s, { what, when: { every: "daily", runs: "10", ends: dayIn(360) } });
  expect(shownText(over.text)).toContain("This costs more credits than are available.");
  expect(stepForm(over).fields["quote_id"]).toBeUndefined();
  expect(await s.analyses()).toHaveLength(1);
});

test("offers methods with a provider, and the price states which sources are real", async () => {
  await using s = await methodsScene();
  const browser = await signedInBrowser(s, s.owner.email);
  let page = await browser.get(`${s.config.baseUrl}/new/${s.organization.id}/${s.workspace.id}/search/what`);
  // Catalog brands are preselected, and the site of the own brand.
  page = await sendStep(browser, page);
  page = await sendStep(browser, page, { keywords: "best phone" });
  expect(stepForm(page).fields).toMatchObject({
    sources: ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_B_AIO", "SEARCH_B_AI_MODE", "ASSISTANT_D"],
    methods: [],
  });
  expect(shownText(page.text)).toContain("ChatGPT real Perplexity real Google simulated");
  const wrong = await sendStep(
    browser,
    await sendStep(browser, page, { sources: ["ASSISTANT_C"], methods: ["capture"] }),
  );
  expect([wrong.status, readFaults(wrong.text)]).toEqual([
    400,
    {
      methods:
        "For this choice, no provider of Claude as a vendor captures it is configured here: leave out the source, or the method.",
    },
  ]);
  page = await sendStep(browser, wrong, { sources: ["ASSISTANT_A", "ASSISTANT_D"], methods: ["api", "capture"] });
  page = await sendStep(browser, page);
  page = await sendStep(browser, page, { sources: ["ASSISTANT_A"] });
  page = await sendStep(browser, page, { runs: "1", max_spend: "5" });
  expect(readFaults(page.text)).toEqual({
    max_spend: "The spending limit cannot be enforced for ChatGPT: the maximum price of an answer is unknown.",
  });
  page = await sendStep(browser, page, { max_spend: "" });
  const shown = shownText(page.text);
  expect(shown).not.toContain("Simulated, so that");
  expect(shown).toContain("ChatGPT by api: prompts x repeats, each run 1 1 1");
  expect(shown).toContain("ChatGPT by capture: prompts x repeats, each run 1 1 1");
  await sendStep(browser, page);
  const { body } = await s.owner.get(`${s.workspace.path}/analyses`);
  const { setup } = (await s.owner.get(`${s.workspace.path}/analyses/${body.data[0].id}`)).body;
  expect([setup.methods, setup.sources, setup.website]).toEqual([
    ["api", "capture"],
    ["ASSISTANT_A"],
    "https://acme.test",
  ]);
});

async function endSession({ w, browser }: Scene): Promise<void> {
  const cookie = browser.cookies.find(({ name }) => name === "bva_session")?.value ?? "";
  await w.store.write(async ({ q, t }) => {
    await q.delete(t.webSessions).where(eq(t.webSessions.idHash, hashSecret(cookie)));
  });
}

async function signInAt(browser: Browser, page: Visit, email: string): Promise<Visit> {
  return browser.submit(page, { action: /^\/sign-in$/, fill: { email, password: PASSWORD } });
}

test("each step sent after the session expired returns after sign-in with all fields", async () => {
  await using s = await scene();
  await givePassword(s.w, s.owner.id);
  // The browser must know who signed in last.
  await endSession(s);
  const home = await s.browser.get(`${s.at}/search/what`);
  let page = await signInAt(s.browser, home, s.owner.email);
  const steps: [step: string, fill: Fields][] = [
    ["what", WHAT],
    ["keywords", { keywords: KEYWORDS }],
    ["columns", { column_0: "thematic", separator: "semicolon" }],
    ["where", { sources: ["ASSISTANT_A"], country: "FR", language: "fr" }],
    ["when", { runs: "1", every: "weekly", ends: "2099-01-01", at: "07:30" }],
  ];
  for (const [step, fill] of steps) {
    expect(stepOfAddress(page)).toBe(step);
    await endSession(s);
    const asked = await sendStep(s.browser, page, fill);
    expect(asked.text).toContain("What you entered is kept");
    const back = await signInAt(s.browser, asked, s.owner.email);
    expect([step, stepOfAddress(back), back.text.includes("Check what you entered")]).toEqual([step, step, true]);
    const { agree, ...fields } = fill;
    expect(stepForm(back).fields).toMatchObject({ ...fields, ...(agree ? { agree: [agree] } : {}) });
    page = await sendStep(s.browser, back, step === "when" ? { every: "once" } : {});
  }
  expect(stepOfAddress(page)).toBe("price");
  // Content of a file appears in its text field.
  const keywords = await s.browser.get(page.url.href.replace("/price", "/keywords"));
  await endSession(s);
  const kept = await upload(s.browser, keywords, Buffer.from("from a file; phone"));
  const uploaded = await signInAt(
    s.browser,
    await s.browser.get(new URL(kept.headers.get("location") ?? "", page.url)),
    s.owner.email,
  );
  expect(stepForm(uploaded).fields["keywords"]).toBe("from a file; phone");
  await endSession(s);
  const asked = await sendStep(s.browser, page);
  expect(await s.analyses()).toEqual([]);
  const back = await signInAt(s.browser, asked, s.owner.email);
  expect([stepOfAddress(back), stepForm(back).fields]).toEqual(["price", stepForm(page).fields]);
  await sendStep(s.browser, back);
  expect(await s.analyses()).toHaveLength(1);
});

test("rejects an oversized file at its field, keeping input, and rejects plain text and missing forms with a message", async () => {
  await using s = await scene();
  const page = await sendStep(s.browser, await s.browser.get(`${s.at}/search/what`), WHAT);
  const { url, body } = buildStep(page);
  const large = await upload(s.browser, page, Buffer.alloc(2 * 1024 * 1024 + 1, "a"), { keywords: "best phone" });
  const text = await large.text();
  expect([large.status, readFaults(text), stepForm({ text }).fields["keywords"]]).toEqual([
    400,
    { keywords: "The file is larger than 2 MB. Choose a smaller one." },
    "best phone",
  ]);
  const long = new FormData();
  for (const [name, value] of body) long.append(name, name === "keywords" ? "a".repeat(2 * 1024 * 1024 + 1) : value);
  const tooLong = await fetch(url, {
    method: "POST",
    body: long,
    headers: { origin: url.origin, cookie: s.browser.cookieHeader(url) },
  });
  expect([tooLong.status, await tooLong.text()]).toEqual([
    413,
    expect.stringContaining("The text is larger than 2 MB. Go back and shorten it."),
  ]);
  const broken = await fetch(url, {
    method: "POST",
    body: "--x\r\nno part",
    headers: {
      "content-type": "multipart/form-data; boundary=x",
      origin: url.origin,
      cookie: s.browser.cookieHeader(url),
    },
  });
  expect([broken.status, await broken.text()]).toEqual([
    400,
    expect.stringContaining("The form did not arrive whole. Submit it again."),
  ]);
});

test("an interrupted step changes nothing, and one with a lost response can be repeated", async () => {
  await using s = await scene();
  const first = await s.browser.get(`${s.at}/search/what`);
  const { url, body } = buildStep(first, WHAT);
  const text = body.toString();
  const head = [
    `POST ${url.pathname} HTTP/1.1`,
    `Host: ${url.host}`,
    `Origin: ${url.origin}`,
    "Sec-Fetch-Site: same-origin",
    `Cookie: ${s.browser.cookieHeader(url)}`,
    "Content-Type: application/x-www-form-urlencoded",
    `Content-Length: ${text.length}`,
    "Connection: close",
    "",
    "",
  ].join("\r\n");
  const raw = (sent: string, until: "sent" | "answered") =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(url.port), url.hostname, () => {
        socket.write(sent, () => until === "sent" && socket.destroy());
      });
      // The answer arrives, and is never read.
      socket.once("data", () => socket.destroy());
      socket.once("close", () => resolve());
      socket.once("error", reject);
    });
  await raw(head + text.slice(0, text.length - 9), "sent");
  expect((await s.read("/brands")).data).toEqual([]);
  await raw(head + text, "answered");
  expect((await s.read("/brands")).data).toHaveLength(3);
  const keywords = await sendStep(s.browser, first, WHAT);
  expect([stepOfAddress(keywords), (await s.read("/brands")).data.length]).toEqual(["keywords", 3]);
});

test("a draft belongs to one person, a few per person are stored, and a missing draft is reported", async () => {
  await using s = await scene();
  const price = await toPrice(s);
  const editor = await s.as("editor@acme.test", "editor");
  const theirs = await editor.get(price.url);
  expect([stepOfAddress(theirs), shownText(theirs.text).includes("Your draft has expired")]).toEqual(["what", true]);
  expect(shownText(theirs.text)).not.toContain("Price 6");
  const viewer = await s.as("viewer@acme.test", "viewer");
  expect((await viewer.get(`${s.at}/search/what`)).status).toBe(403);
  const foreign = await viewer.post(new URL(stepForm(price).action, price.url), buildStep(price).body);
  expect([foreign.status, await s.analyses()]).toEqual([403, []]);
  const drafts = async () => {
    const { q, t } = openCommitted(s.w.store);
    return (await q.select().from(t.heldForms)).filter(({ userId }) => userId === s.owner.id);
  };
  for (let made = 0; made < 6; made++) {
    await sendStep(s.browser, await s.browser.get(`${s.at}/search/what`), { brand: "", brand_name: `Secret ${made}` });
  }
  const rows = await drafts();
  expect([rows.length, JSON.stringify(rows).includes("Secret")]).toEqual([5, false]);
  expect(stepOfAddress(await s.browser.get(price.url))).toBe("what");
});
