import { expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { world } from "../support/world.ts";

async function scene() {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  await owner.patch(organization.path, { approval_above_credits: 1 });
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme" });
  const { body: quote } = await owner.post(`${workspace.path}/search-analyses/price`, {
    name: "Phones & <b>more</b>",
    website: "https://acme.test",
    brand_id: brand.body.id,
    sources: ["SEARCH_A"],
    thematics: [{ name: "T", topics: [{ name: "T", keywords: [{ text: "best phone" }] }] }],
  });
  return {
    w,
    organization,
    page: `${w.config.baseUrl}/approve/${quote.quote_id}`,
    create: () => owner.post(`${workspace.path}/search-analyses`, { quote_id: quote.quote_id, confirmed: true }),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

test("a person sees setup and cost in the browser, approves, and the creation goes through once", async () => {
  await using s = await scene();
  expect((await s.create()).body.code).toBe("APPROVAL_REQUIRED");
  const browser = await signedInBrowser(s.w, "owner@acme.test");
  const page = await browser.get(s.page);
  expect(page.status).toBe(200);
  const shown = [...page.text.matchAll(/<pre[^>]*>([^<]*)<\/pre>/g)].map(([, text = ""]) => text);
  expect(shown.join("\n\n").split("\n")).toEqual([
    "Create the search analysis &#34;Phones &#38; &#60;b&#62;more&#60;/b&#62;&#34;?",
    "",
    "Own brand: Acme, https://acme.test",
    "Compared with: no competitors",
    "Sources: Bing (simulated: answers are invented)",
    "Country, language, device: US, en, desktop",
    "Each prompt is sent: 3 times per source and run",
    "Schedule: once",
    "Prompts: 1",
    "  T / T:",
    "    best phone (Generic)",
    "",
    "Cost: 3 credits (3 x 1 run).",
    "With so few generic prompts, two runs show no change of presence. To detect 5 points, track 437 generic prompts; more repeats may not help.",
    "Available: 10,000 credits; after this: 9,997.",
  ]);
  const done = await browser.submit(page, { action: /\/approve\//, press: ["decision", "approve"] });
  expect(done.text).toContain("Approved");
  expect((await s.create()).status).toBe(201);
  expect((await s.create()).body.code).toBe("QUOTE_USED");
});

test("a quote declined in the browser cannot create anything", async () => {
  await using s = await scene();
  const browser = await signedInBrowser(s.w, "owner@acme.test");
  const page = await browser.get(s.page);
  await browser.submit(page, { action: /\/approve\//, press: ["decision", "decline"] });
  expect(await s.create()).toMatchObject({ status: 409, body: { code: "QUOTE_USED" } });
});

test("rejects approval by a colleague, without sign-in, or from another site", async () => {
  // Attack: another person's approval, or one posted by another site (cross-site request forgery).
  await using s = await scene();
  await s.w.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
  const colleague = await signedInBrowser(s.w, "editor@acme.test");
  expect((await colleague.get(s.page)).status).toBe(404);
  const owner = await signedInBrowser(s.w, "owner@acme.test");
  const forged = await owner.post(s.page, new URLSearchParams("decision=approve"), { origin: "https://evil.test" });
  expect(forged.status).toBe(403);
  owner.cookies = [];
  expect((await owner.get(s.page)).text).toContain("Sign in");
  expect((await s.create()).body.code).toBe("APPROVAL_REQUIRED");
});
