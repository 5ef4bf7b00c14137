import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listTrackedBrands } from "../../db/catalog/brands.ts";
import type { FactValue } from "../../core/claims/fact.ts";
import { parseLocation } from "../../core/shared/analysis-location.ts";
import { isResultPageSource, type Source } from "../../core/sources/sources.ts";
import type { PromptContext } from "../../core/prompts/brand-prompt.ts";
import type { Question } from "../../src/outside/sources/provider.ts";
import { planBrandAnswer } from "../../src/outside/sources/simulated/brand-plan.ts";
import { simulatedClaim } from "../sources/simulated-perception.ts";
import { simulatedTruth, type SimulatedTruth } from "../sources/simulated-truth.ts";
import { readWorld } from "../../src/outside/sources/simulated/world-file.ts";
import { openCommitted } from "../support/committed.ts";
import { answerKeyOf, storedAnswers, type StoredAnswer } from "./stored.ts";
import { WITH_WORKER, WITHOUT_LIMITS, world } from "../support/world.ts";

// A brand analysis from price to two collects through REST, with the truth of each answer.

export const OWN = "Kestrova";
/** In row order, which is creation order. */
export const RIVALS = ["Brindlecup", "Tavolino"];
export const ATTRIBUTES = ["ease of cleaning", "price"];
/** Facts of the own brand: some agreed, some contradicted, one never mentioned. */
export const FACTS = [
  { attribute: "price", value: { kind: "price", amount: 549, currency: "USD" }, told: "549 USD" },
  { attribute: "water tank", value: { kind: "number", number: 1.8, unit: "l" }, told: "1.8 l" },
  { attribute: "founded", value: { kind: "date", date: "2012" }, told: "2012" },
  { attribute: "grinder", value: { kind: "feature", present: false }, told: "no" },
  { attribute: "Germany", value: { kind: "availability", country: "DE", available: false }, told: "not in DE" },
  { attribute: "weight", value: { kind: "number", number: 9.5, unit: "kg" }, told: "9.5 kg" },
].map((fact) => ({
  ...fact,
  value: fact.value as FactValue,
  source_url: "https://kestrova.example/facts",
  as_of: "2026-11-01",
}));
const PERSONAS = [
  { name: "Barista", archetype: "The one who cares", description: "Pulls shots all day." },
  { name: "Parent", archetype: "The one in a hurry", description: "Has ten minutes in the morning." },
];
const START = Date.parse("2026-11-21T08:00:00.000Z");
const DAY = 86_400_000;

/** Parameters of a scene. */
export interface Setting {
  seed?: string;
  sources: readonly Source[];
  collects: number;
}

/** A prompt of the setup in one country and persona. */
export interface AskedQuestion {
  id: string;
  text: string;
  asked: PromptContext;
  country: string;
  personaId: string;
  template: string | null;
}

/** An answer that the service must have collected. */
export interface TrueAnswer {
  question: AskedQuestion;
  source: Source;
  /** Its number. */
  collect: number;
  run: number;
  shown: boolean;
  truth: SimulatedTruth;
  /** Claims about the facts, with their pages. */
  claims: { attribute: string; verdict: string; url: string | null }[];
  stored: StoredAnswer;
}

/** Prompts selected per kind: more about the own brand than about rivals. */
const PROMPTS_PER_KIND = {
  own: { unaided: 0, aided: 5, perception: 3, attribute: 1, comparison: 0 },
  other: { unaided: 6, aided: 1, perception: 1, attribute: 0, comparison: 1 },
};

export async function brandTruthScene({ seed, sources, collects }: Setting) {
  let now = START;
  const drawn = seed === undefined ? {} : { SIMULATED_WORLD: await worldFile(seed) };
  const env = { ...WITH_WORKER, ...WITHOUT_LIMITS, ...drawn };
  const w = await world({ env, now: () => new Date(now).toISOString() });
  const { organization, workspace, owner } = await w.acme();
  const simulated = readWorld(drawn.SIMULATED_WORLD);
  const ids = new Map<string, string>();
  for (const name of ["Nordkaffa", OWN, ...RIVALS]) {
    const relationship = name === OWN ? "mine" : "competitor";
    const { body } = await owner.post(`${workspace.path}/brands`, {
      name,
      domains: [`${name.toLowerCase()}.example`],
      relationship,
    });
    ids.set(name, body.id);
  }
  const idOf = (name: string) => ids.get(name) ?? "";
  for (const { told: _told, ...fact } of FACTS) await owner.post(`${workspace.path}/brands/${idOf(OWN)}/facts`, fact);
  const personas: { id: string; name: string; archetype: string; description: string }[] = [];
  for (const persona of PERSONAS) {
    const { body } = await owner.post(`${workspace.path}/personas`, persona);
    personas.push({ ...persona, id: body.id });
  }
  const setup = {
    name: "Espresso machines",
    brand_id: idOf(OWN),
    competitor_ids: RIVALS.toReversed().map(idOf),
    category: "espresso machines",
    attributes: ATTRIBUTES,
    countries: ["US", "DE"],
    persona_ids: personas.map(({ id }) => id),
    language: "en",
    sources,
    runs_per_prompt: 2,
    schedule: "daily",
    ends_at: new Date(START + (collects - 1) * DAY + DAY / 2).toISOString(),
  };
  const kind = `${workspace.path}/brand-analyses`;
  const offered = await owner.post(`${kind}/price`, setup);
  const prompts = selectPrompts(offered.body.setup.prompts, idOf(OWN));
  const priced = await owner.post(`${kind}/price`, { ...setup, prompts });
  const made = await owner.post(kind, { quote_id: priced.body.quote_id, confirmed: true });
  const path = `${workspace.path}/analyses/${made.body.id}`;
  let reader = owner;
  for (let number = 1; number <= collects; number += 1) {
    now = START + (number - 1) * DAY + 1;
    if (number > 1) w.deps.wakeWorker();
    // Yesterday's access token has expired.
    if (number > 1) reader = await w.signIn(owner.email);
    await waitForCollect(() => reader.get(`${path}/collects`), number);
  }
  const listed = (await reader.get(`${path}/collects`)).body.data as CollectRow[];
  const questions = await questionsOf(async (cursor) => reader.get(`${path}/prompts?limit=100${cursor}`));
  const tenant = { db: openCommitted(w.store), organizationId: organization.id, workspaceId: workspace.id };
  const brands = await listTrackedBrands(tenant);
  const stored = await storedAnswers(tenant.db);
  const answers = questions.flatMap((question) =>
    sources.flatMap((source) =>
      listed.toReversed().flatMap(({ number: collect, id }) =>
        [1, 2].map((run): TrueAnswer => {
          const persona = personas.find((one) => one.id === question.personaId);
          const whole: Question = {
            ...parseLocation(setup, question.country),
            prompt: question.text,
            source,
            run,
            collectNumber: collect,
            thematic: "",
            topic: "",
            persona: persona ? [persona.name, persona.archetype, persona.description].join(". ") : null,
            brands,
            asked: question.asked,
            category: setup.category,
            attributes: ATTRIBUTES,
          };
          const shown =
            planBrandAnswer(simulated, whole, question.asked).style !== "absent" || isResultPageSource(source);
          const row = stored.get(answerKeyOf({ questionId: question.id, collectId: id, source, run }));
          if (!row) throw new Error("an answer that was not collected");
          const claims = FACTS.map(({ attribute, value }) => {
            return { attribute, ...simulatedClaim(simulated, whole, { brandId: idOf(OWN), attribute, value }) };
          });
          return {
            question,
            source,
            collect,
            run,
            shown,
            truth: simulatedTruth(simulated, whole),
            claims,
            stored: row,
          };
        }),
      ),
    ),
  );
  return {
    w,
    organization,
    workspace,
    reader,
    path,
    answers,
    questions,
    sources,
    personas,
    brands,
    collects: listed.toReversed(),
  };
}
export type BrandTruth = Awaited<ReturnType<typeof brandTruthScene>>;

interface CollectRow {
  id: string;
  number: number;
  finished_at: string | null;
  collected_to: string | null;
}

interface OfferedPrompt {
  kind: PromptContext["kind"];
  brand_id: string | null;
  look_alike: string | null;
  attribute: string | null;
  country: string | null;
  persona_id: string | null;
  asks_pros_cons: boolean;
}

/** The first prompts of each sort. */
function selectPrompts(prompts: readonly OfferedPrompt[], ownId: string): OfferedPrompt[] {
  const counts = new Map<string, number>();
  return prompts.filter((prompt) => {
    const { kind, brand_id: brand, look_alike: lookAlike, attribute, country, persona_id: persona } = prompt;
    const key = JSON.stringify([kind, brand, lookAlike !== null, attribute, country, persona, prompt.asks_pros_cons]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    const isNarrow = country !== null || persona !== null || prompt.asks_pros_cons;
    return count < (isNarrow ? 1 : PROMPTS_PER_KIND[brand === ownId ? "own" : "other"][kind]);
  });
}

/** The demo world with another seed. */
async function worldFile(seed: string): Promise<string> {
  const demo = await readFile(new URL("../../lists/demo/world.json", import.meta.url), "utf8");
  const folder = await mkdtemp(join(process.env["SHARED_TEST_FOLDER"] ?? tmpdir(), "world-"));
  const file = join(folder, "world.json");
  await writeFile(file, JSON.stringify({ ...JSON.parse(demo), seed }));
  return file;
}

/** Waits until a collect is over. */
async function waitForCollect(list: () => Promise<{ body: { data: CollectRow[] } }>, number: number): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 20) {
    const { data } = (await list()).body;
    if (data.some((row) => row.number === number && row.finished_at !== null)) return;
    await sleep(20);
  }
  throw new Error("the collect did not end in a minute");
}

interface PromptRow {
  id: string;
  kind: PromptContext["kind"];
  text: string;
  country: string;
  persona_id: string;
  brand_id: string | null;
  other_brand_id: string | null;
  look_alike: string | null;
  attribute: string | null;
  asks_pros_cons: boolean;
  template: string | null;
}

/** The questions of the analysis, in their order. */
async function questionsOf(
  page: (cursor: string) => Promise<{ body: { data: PromptRow[]; next_cursor: string | null } }>,
): Promise<AskedQuestion[]> {
  const rows: PromptRow[] = [];
  for (let next: string | null = ""; next !== null;) {
    const { body } = await page(next === "" ? "" : `&cursor=${encodeURIComponent(next)}`);
    rows.push(...body.data);
    next = body.next_cursor;
  }
  return rows.map(({ id, text, country, persona_id: personaId, template, ...row }) => {
    const { kind, brand_id: brandId, other_brand_id: otherBrandId, look_alike: lookAlike, attribute } = row;
    const asked = { kind, brandId, otherBrandId, lookAlike, attribute, asksProsCons: row.asks_pros_cons };
    return { id, text, country, personaId, template, asked };
  });
}
