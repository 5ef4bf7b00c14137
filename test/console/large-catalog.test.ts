import { afterAll, beforeAll, expect, test } from "vitest";
import { signedInBrowser } from "../support/assistant.ts";
import { shownText } from "../audits/console-scene.ts";
import { countRowsRead } from "./count-rows-read.ts";
import { uuid } from "../metrics/search-metrics-scene.ts";
import { insertScene } from "../support/search-scene.ts";
import { world } from "../support/world.ts";

const PROJECT = uuid(1);
/** More than a choice lists, and more than a page of prompts has. */
const [BRANDS, KEYWORDS] = [260, 1200];
const brandId = (at: number) => uuid(1000 + at);

async function largeCatalog() {
  const w = await world();
  const { organization, workspace, owner } = await w.acme();
  const keywords = Array.from({ length: KEYWORDS }, (_, at) => ({ id: uuid(2000 + at), text: `prompt ${at}` }));
  const answers = keywords.map(({ id: keyword }, at) => {
    const places = [0, 1 + (at % 40)].map((brand, rank) => ({ brand_id: brandId(brand), rank: rank + 1 }));
    return { keyword, source: "ASSISTANT_A" as const, run: 1, text: "", places };
  });
  await w.store.write((db) =>
    insertScene(
      db,
      { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id },
      {
        projectId: PROJECT,
        ownBrandId: brandId(0),
        brands: Array.from({ length: BRANDS }, (_, at) => ({ id: brandId(at), name: `Brand ${at}` })),
        facets: [
          { id: uuid(30), kind: "thematic", name: "All" },
          { id: uuid(31), kind: "topic", name: "Any", parentId: uuid(30) },
        ],
        keywords: keywords.map((keyword) => ({ ...keyword, thematicId: uuid(30), topicId: uuid(31) })),
        collects: [51, 52].map((id, at) => ({
          id: uuid(id),
          number: at + 1,
          answers: answers.map((answer, index) => ({ ...answer, id: uuid(10_000 * id + index) })),
        })),
      },
    ),
  );
  const browser = await signedInBrowser(w, owner.email);
  const place = `${organization.id}/${workspace.id}`;
  const page = async (name: string, query = "") => browser.get(`${w.config.baseUrl}/${name}/${place}${query}`);
  return { page, [Symbol.asyncDispose]: () => w[Symbol.asyncDispose]() };
}

let s: Awaited<ReturnType<typeof largeCatalog>>;
beforeAll(async () => {
  s = await largeCatalog();
}, 60_000);
afterAll(() => s[Symbol.asyncDispose]());

test("a page opened again reads no brands and prompts beyond those shown", async () => {
  const most = { visibility: [20, 0], prompts: [20, 50], answers: [20, 0], sources: [20, 0] };
  for (const [name, [brands = 0, prompts = 0]] of Object.entries(most)) {
    await s.page(name);
    let status = 0;
    const rows = await countRowsRead(async () => {
      ({ status } = await s.page(name));
    });
    const [ofBrands, ofPrompts] = [rows["brands"] ?? 0, rows["questions"] ?? 0];
    // Lists of types and the last position take a few rows.
    expect([name, status, rows, ofBrands <= brands, ofPrompts <= prompts + 25]).toEqual([name, 200, rows, true, true]);
    expect(ofPrompts).toBeGreaterThanOrEqual(prompts);
  }
});

test("a choice with too many brands accepts a typed name, and an id in the address is shown by name", async () => {
  for (const [name, field] of [
    ["answers", "names"],
    ["sources", "with"],
  ] as const) {
    const typed = async (query: string) => {
      const { text } = await s.page(name, query);
      return new RegExp(`<input name="${field}" value="([^"]*)"`).exec(text)?.[1];
    };
    expect([name, await typed(""), await typed(`?${field}=${brandId(7)}`), await typed(`?${field}=Brand+8`)]).toEqual([
      name,
      "",
      "Brand 7",
      "Brand 8",
    ]);
  }
});

test("counts from a thousand on are written with separators, in cards and pagers alike", async () => {
  // Fault: "1200 of 1200" next to "1,200 answers".
  const visibility = shownText((await s.page("visibility")).text);
  expect(/in \S+ of \S+ answers to \S+ prompts/.exec(visibility)?.[0]).toBe(
    "in 1,200 of 1,200 answers to 1,200 prompts",
  );
  const prompts = shownText((await s.page("prompts", "?page=23")).text);
  expect(/\S+ to \S+ of \S+(?= )/.exec(prompts.slice(prompts.indexOf("Previous")))?.[0]).toBe(
    "1,151 to 1,200 of 1,200",
  );
});
