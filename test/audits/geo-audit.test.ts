import { expect, test } from "vitest";
import { collectScene } from "../collecting/scene.ts";
import { openCommitted } from "../support/committed.ts";

const WEBSITE = "https://www.kestrova.example";

test("an audit is priced with the pages of the sitemap, shown whole, and created as it was shown", async () => {
  await using s = await collectScene();
  const path = s.workspace.path;
  const priced = await s.owner.post(`${path}/geo-audits/price`, { name: "Our site", website: WEBSITE, max_pages: 3 });
  expect(priced).toMatchObject({ status: 200 });
  const { setup, cost, sources, power } = priced.body;
  const pages = ["/", "/machines/", "/machines/k1/"].map((one) => `${WEBSITE}${one}`);
  expect({ setup, sources, power }).toEqual({
    setup: {
      name: "Our site",
      website: `${WEBSITE}/`,
      max_pages: 3,
      render: false,
      schedule: { every: "once", at: "06:00", time_zone: "UTC" },
      brand_id: null,
      page_count: 3,
      first_pages: pages,
      pages_from: `${WEBSITE}/sitemap.xml`,
      notes: [
        "This site comes with the program: its pages are invented, and nothing is fetched.",
        "12 pages were found; the first 3 are audited.",
      ],
    },
    sources: [],
    power: null,
  });
  expect(cost).toEqual({
    credits: 3,
    per_collect: 3,
    collects_planned: 1,
    total_credits: 3,
    breakdown: [{ what: "pages, each run", quantity: 3, unit_credits: 1, credits: 3 }],
    estimated_provider_cost_usd: 0,
  });
  expect(priced.body.presentation.split("\n").slice(0, 12)).toEqual([
    'Create the GEO audit "Our site"?',
    "",
    `Website: ${WEBSITE}/`,
    "Brand: no brand of the workspace has this domain, so pages are not searched for a brand's name",
    "Scripts: not run; pages are read as they come",
    "Schedule: once",
    `Pages: 3 pages, from ${WEBSITE}/sitemap.xml`,
    "This site comes with the program: its pages are invented, and nothing is fetched.",
    "12 pages were found; the first 3 are audited.",
    ...pages.map((page) => `  ${page}`),
  ]);
  const confirmed = { quote_id: priced.body.quote_id, confirmed: true };
  const created = await s.owner.post(`${path}/geo-audits`, confirmed);
  expect(created).toMatchObject({ status: 201, body: { type: "geo_audit", name: "Our site", brand_id: null } });
  expect(await s.owner.post(`${path}/geo-audits`, confirmed)).toMatchObject({
    status: 409,
    body: { code: "QUOTE_USED" },
  });
  const again = await s.owner.post(`${path}/analyses/${created.body.id}/duplicate`);
  expect(again.body.setup).toEqual({
    name: "Our site (copy)",
    website: `${WEBSITE}/`,
    max_pages: 3,
    render: false,
    schedule: { every: "once", at: "06:00", time_zone: "UTC" },
  });
});

test("audits given pages in order, and names invalid ones", async () => {
  await using s = await collectScene();
  const price = (body: object) => s.owner.post(`${s.workspace.path}/geo-audits/price`, { name: "Pages", ...body });
  const urls = [`${WEBSITE}/machines/k2/#top`, `${WEBSITE}/`];
  const priced = await price({ website: WEBSITE, urls });
  expect(priced.body.setup).toMatchObject({
    page_count: 2,
    max_pages: 2,
    first_pages: [`${WEBSITE}/machines/k2/`, `${WEBSITE}/`],
    pages_from: "the list that was given",
  });
  const wrong = await price({
    website: "https://acme.test",
    sitemap_url: "https://acme.test/sitemap.xml",
    urls: ["https://acme.test/", "https://rival.test/", "https://acme.test/#a", "https://me:secret@acme.test/"],
  });
  expect(wrong).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(wrong.body.fields).toEqual([
    { path: "urls.1", message: "is not of the website; audit each site by itself" },
    { path: "urls.3", message: "must have no user name or password" },
    { path: "urls.2", message: "is repeated" },
    { path: "sitemap_url", message: "cannot be combined with urls: leave one of them out" },
  ]);
  // Faults visible before contacting the site are rejected immediately.
  const recurring = await price({ website: WEBSITE, schedule: "weekly" });
  expect(recurring.body.fields).toEqual([
    { path: "ends_at", message: "is required, so that the whole cost is known before the confirmation" },
  ]);
});

test("an audit of the bundled site runs offline, finds its faults, and charges the audited pages", async () => {
  await using s = await collectScene();
  const path = s.workspace.path;
  const { body: price } = await s.owner.post(`${path}/geo-audits/price`, { name: "Bundled", website: WEBSITE });
  const created = await s.owner.post(`${path}/geo-audits`, { quote_id: price.quote_id, confirmed: true });
  const ended = await s.ended(`${path}/analyses/${created.body.id}`);
  expect(ended).toMatchObject({ status: "completed", planned: 12, succeeded: 12, failed: 0 });
  expect(ended.cost).toEqual({ reserved_credits: 0, spent_credits: 12 });
  const db = openCommitted(s.store);
  const [audit] = await db.q.select().from(db.t.audits);
  const { summary } = audit ?? {};
  expect(summary?.pages).toEqual({ audited: 12, skipped: 0 });
  // A listed page is missing and one forbids snippets; the noindex page is not listed.
  const failing = ["status", "header_noindex", "meta_nosnippet"].map((id) => summary?.checks[id]?.fail);
  expect(failing).toEqual([1, 0, 1]);
});
