import { fillPrompts } from "../../core/prompts/fill-prompts.ts";
import { SOURCES } from "../../core/sources.ts";
import { world } from "../world.ts";

// How long the price of the largest brand analyses takes, in a catalog of 200 brands, beside that of a small one.

const GOAL_MS = 1000;
const TIMES = 9;
const MOST_QUESTIONS = 100_000;
const COUNTRIES = ["US", "DE", "FR", "ES", "JP", "GB", "IT", "NL"];
const ATTRIBUTES = ["price", "quality", "service", "design", "range", "delivery"];

await using w = await world({ env: { SERVE: "core" } });
const { owner, workspace } = await w.acme();
const made = await owner.post(`${workspace.path}/brands/bulk`, {
  brands: Array.from({ length: 200 }, (_, at) => ({ name: `Brand${String.fromCodePoint(65 + (at % 26))}${at}` })),
});
const ids = made.body.results.map(({ brand_id }: { brand_id: string }) => brand_id) as string[];
const personas: { id: string; name: string }[] = [];
for (const name of ["Anna", "Ben", "Chloe", "David", "Emma"]) {
  personas.push({ id: (await owner.post(`${workspace.path}/personas`, { name })).body.id, name });
}
const [own = "", ...rivals] = ids.slice(0, 11);
const small = {
  name: "Small",
  brand_id: own,
  category: "running shoes",
  competitor_ids: rivals.slice(0, 1),
  sources: ["ASSISTANT_A"],
  runs_per_prompt: 1,
};
const large = {
  ...small,
  name: "Large",
  competitor_ids: rivals,
  attributes: ATTRIBUTES,
  countries: COUNTRIES,
  sources: SOURCES,
  runs_per_prompt: 3,
};
const everywhere = { ...large, persona_ids: personas.map(({ id }) => id) };

await measure("idle: one rival, one source, prompts from templates", small);
const slowest = Math.max(
  await measure("10 rivals, 6 attributes, 8 countries, 10 sources, 3 runs, prompts from templates", large),
  await measure("the same as 5 personas, as many prompts as the cap leaves", { ...everywhere, prompts: fitting() }),
);
process.exitCode = slowest > GOAL_MS ? 1 : 0;

/** As many of the prompts of the largest setup as a collect may ask. */
function fitting() {
  const prompts = fillPrompts({
    category: small.category,
    brand: named(own),
    competitors: rivals.map(named),
    attributes: ATTRIBUTES,
    personas: personas.map((one) => ({ ...one, archetype: "", description: "" })),
    countries: COUNTRIES,
    language: "en",
  });
  const askings = SOURCES.length * large.runs_per_prompt;
  let room = Math.floor(MOST_QUESTIONS / askings);
  return prompts.filter(({ country, persona_id: persona }) => {
    const cells = (country === null ? COUNTRIES.length : 1) * (persona === null ? personas.length : 1);
    if (cells > room) return false;
    room -= cells;
    return true;
  });
}

function named(id: string) {
  return { id, name: `brand ${id.slice(-4)}` };
}

/** Prints what a price takes, and gives the longest in milliseconds. */
async function measure(what: string, setup: object): Promise<number> {
  const times: number[] = [];
  let questions = 0;
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    const { status, body } = await owner.post(`${workspace.path}/brand-analyses/price`, setup);
    times.push(performance.now() - began);
    if (status !== 200) throw new Error(JSON.stringify(body));
    questions = body.cost.breakdown.reduce((sum: number, row: { questions: number }) => sum + row.questions, 0);
  }
  times.sort((a, b) => a - b);
  const [median = 0, longest = 0] = [times[TIMES >> 1], times.at(-1)];
  console.info(
    `${what}: ${questions.toLocaleString("en-US")} questions a collect, ${figure(median)}, longest ${figure(longest)}`,
  );
  return longest;
}

function figure(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}
