import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { planAnswer } from "../../src/outside/sources/simulated/plan.ts";
import { simulatedTruth, type SimulatedTruth } from "../sources/simulated-truth.ts";
import { readWorld } from "../../src/outside/sources/simulated/world-file.ts";
import { isResultPageSource, SOURCES, type Source } from "../../core/sources/sources.ts";
import { listTrackedBrands } from "../../db/catalog/brands.ts";
import { withoutBasis } from "./search-metrics-scene.ts";
import { WITH_WORKER, world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

const RUNS = 2;
const THEMATICS = [
  {
    name: "Home",
    topics: [
      {
        name: "First machine",
        keywords: [
          {
            text: "best espresso machine for beginners",
            funnel_stage: "ToFu",
            search_volume: 8100,
            trends: [1, 2.5],
            search_interest_trends: [40, 55.5],
            related_queries: [
              {
                query: "easy espresso machine",
                relevance: 0.9,
                search_volume: 320,
                trends: [2, 1],
                intents: ["commercial"],
              },
              { query: "espresso machine with grinder" },
            ],
          },
          { text: "which espresso machine should I buy first", funnel_stage: "MoFu", intent: ["commercial"] },
          { text: "is Kestrova a good espresso machine", type: "Brand", funnel_stage: "BoFu" },
        ],
      },
      {
        name: "Milk drinks",
        keywords: [
          { text: "best espresso machine for cappuccino", strength: "Milk foam", funnel_stage: "MoFu" },
          { text: "espresso machine for oat milk", weakness: "Loud pump", related_product: "Steam wand" },
        ],
      },
    ],
  },
  {
    name: "Work",
    topics: [
      {
        name: "Offices",
        keywords: [
          { text: "best espresso machine for a small office", sub_brand: "Pro line", funnel_stage: "BoFu" },
          { text: "office coffee machine with service contract" },
        ],
      },
    ],
  },
];
export const OWN = "Kestrova";
const COMPARED = ["Brindlecup", "Tavolino"];
const BRANDS = [OWN, ...COMPARED, "Nordkaffa", "Piccolux"];

/** A keyword as it is set up. */
export interface Keyword {
  text: string;
  thematic: string;
  topic: string;
  type?: string;
  persona_id?: string;
  funnel_stage?: string;
  strength?: string;
  weakness?: string;
  related_product?: string;
  sub_brand?: string;
  intent?: string[];
  search_volume?: number;
  trends?: number[];
  search_interest_trends?: number[];
  related_queries?: object[];
}

/** An answer that the service must have collected. */
export interface ExpectedAnswer {
  keyword: Keyword;
  source: Source;
  collect: number;
  shown: boolean;
  truth: SimulatedTruth;
}

/** Creates and collects through the interface, with the expected answers. */
export async function simulatedScene() {
  let now = "2026-11-21T08:00:00.000Z";
  const w = await world({ env: WITH_WORKER, now: () => now });
  const { organization, workspace, owner } = await w.acme();
  for (const name of BRANDS) {
    const relationship = name === OWN ? "mine" : "competitor";
    const domains = [`${name.toLowerCase()}.example`];
    await owner.post(`${workspace.path}/brands`, { name, domains, relationship });
  }
  const tenant = { db: openCommitted(w.store), organizationId: organization.id, workspaceId: workspace.id };
  const brands = await listTrackedBrands(tenant);
  const idOf = (name: string) => brands.find((brand) => brand.name === name)?.id ?? "";
  const persona = await owner.post(`${workspace.path}/personas`, { name: "Barista", language: "en", country: "US" });
  const thematics = THEMATICS.map((thematic) => ({
    ...thematic,
    topics: thematic.topics.map((topic) => ({
      ...topic,
      keywords: topic.keywords.map((keyword): Omit<Keyword, "thematic" | "topic"> => {
        return keyword.text.includes("contract") ? { ...keyword, persona_id: persona.body.id } : keyword;
      }),
    })),
  }));
  const priced = await owner.post(`${workspace.path}/search-analyses/price`, {
    name: "Espresso machines",
    website: "https://kestrova.example",
    brand_id: idOf(OWN),
    competitor_ids: COMPARED.map(idOf),
    sources: SOURCES,
    thematics,
    runs_per_prompt: RUNS,
    schedule: "daily",
    ends_at: "2026-11-22T12:00:00.000Z",
  });
  expect(priced).toMatchObject({ status: 200, body: { cost: { collects_planned: 2 } } });
  const { body: project } = await owner.post(`${workspace.path}/search-analyses`, {
    quote_id: priced.body.quote_id,
    confirmed: true,
  });
  const scope = `client_id=${organization.id}&project_id=${project.id}`;
  const collects = `/api/v1/projects/${project.id}/collects?client_id=${organization.id}`;
  await waitForCollect(() => owner.get(collects), 1);
  now = "2026-11-22T08:00:01.000Z";
  w.deps.wakeWorker();
  // Yesterday's access token has expired.
  const later = await w.signIn("later@acme.test", { organizationId: organization.id, role: "viewer" });
  const [second, first] = await waitForCollect(() => later.get(collects), 2);
  const filters = await later.get(`/api/v1/projects/${project.id}/filters?client_id=${organization.id}`);

  const simulated = readWorld();
  const keywords = thematics.flatMap((thematic) =>
    thematic.topics.flatMap((topic) =>
      topic.keywords.map((keyword): Keyword => ({ ...keyword, thematic: thematic.name, topic: topic.name })),
    ),
  );
  const questions = [1, 2].flatMap((collect) =>
    keywords.flatMap((keyword) =>
      SOURCES.flatMap((source) => [1, 2].map((run) => ({ collect, keyword, source, run }))),
    ),
  );
  const asked = questions.map(({ collect, keyword, source, run }): ExpectedAnswer => {
    const { text: prompt, thematic, topic } = keyword;
    const who = keyword.persona_id === undefined ? null : "Barista";
    const where = { country: "US", language: "en", persona: who, brands };
    const question = { prompt, source, run, collectNumber: collect, thematic, topic, ...where };
    // An empty result page counts as shown.
    const shown = planAnswer(simulated, question).style !== "absent" || isResultPageSource(source);
    return { keyword, source, collect, shown, truth: simulatedTruth(simulated, question) };
  });
  return {
    w,
    scope,
    reader: later,
    organization,
    workspace,
    analysisId: project.id as string,
    ownBrandId: idOf(OWN),
    asked,
    keywords,
    filters: filters.body,
    collectIds: { first: first?.id ?? "", second: second?.id ?? "" },
    brands: brands.map(({ id, name }) => ({ id, name, compared: name === OWN || COMPARED.includes(name) })),
    top: async (query: string) => withoutBasis(await later.get(`/api/v1/top-brands?${scope}&${query}`)).body,
    keywordRows: async (query: string) =>
      withoutBasis(await later.get(`/api/v1/keywords-metrics?${scope}&${query}`)).body,
    whole: async (path: "top-brands" | "keywords-metrics", query: string) =>
      (await later.get(`/api/v1/${path}?${scope}&${query}`)).body,
    basis: async (query: string) => {
      const top = await later.get(`/api/v1/top-brands?${scope}&${query}`);
      const required = "thematics=Home&keyword_type=Generic";
      const rows = await later.get(`/api/v1/keywords-metrics?${scope}&${required}&${query}`);
      return [top.body.basis, rows.body.basis];
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

/** Waits until a collect completes; returns all collects, newest first. */
async function waitForCollect(
  list: () => Promise<{ body: { data: { id: string; number: number; status: string }[] } }>,
  number: number,
) {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const { data } = (await list()).body;
    if (data.some((row) => row.number === number && row.status === "completed")) return data;
    await sleep(20);
  }
  throw new Error("the collect did not end in 20 s");
}

export type SimulatedScene = Awaited<ReturnType<typeof simulatedScene>>;
