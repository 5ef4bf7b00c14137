import { beforeAll, afterAll, expect, test } from "vitest";
import { selectCountedParts, selectOneMethod } from "../../core/metrics/select-counted-parts.ts";
import { methodsScene } from "./methods-scene.ts";

/**
 * Ten prompts: API answers name Acme in eight at rank 1, and captures in three, after Rival,
 * which is always named.
 */
const PROMPTS = Array.from({ length: 10 }, (_, at) => `best phone ${at}`);
const KEYWORDS = "sources=ASSISTANT_A&thematics=Phones&keyword_type=Generic";
const numberOf = (prompt: string) => Number(prompt.split(" ").at(-1));
const said = (prompt: string, method: "api" | "capture") => {
  if (method === "api") return numberOf(prompt) < 8 ? "Acme is fine." : "None is.";
  return numberOf(prompt) < 3 ? "Rival leads. Acme follows." : "Rival leads.";
};

let s: Awaited<ReturnType<typeof methodsScene>>;
let analysis: string;
beforeAll(async () => {
  s = await methodsScene(said);
  analysis = await s.create(PROMPTS, { methods: ["api", "capture"], runs_per_prompt: 2 });
  await s.ended(analysis);
});
afterAll(() => s[Symbol.asyncDispose]());

const api = { answers: 20, Acme: [16, 1], Rival: [0, null] };
const capture = { answers: 20, Acme: [6, 2], Rival: [20, 1] };

async function figures(query: string) {
  const { body } = await s.owner.get(`${analysis}/metrics/visibility?${query}`);
  const { answers, collection_methods: methods, other_methods: others, legend } = body.basis;
  const rows = body.data as { brand: string; occurrences: number; average_rank: number | null }[];
  const figure = (name: string) => {
    const row = rows.find(({ brand }) => brand === name);
    return row ? [row.occurrences, row.average_rank] : [0, null];
  };
  return { answers, Acme: figure("Acme"), Rival: figure("Rival"), methods, others, legend };
}

test("never sums answers of two methods: the first counts, and the basis states the excluded answers", async () => {
  for (const query of ["", "statistics=true", "sources=ASSISTANT_A", "method=api", "as_published=true"]) {
    const own = await figures(query);
    expect({ query, ...own }).toMatchObject({
      query,
      ...api,
      methods: ["api"],
      others: [{ method: "capture", answers: 20 }],
    });
    expect(own.legend).toContain("collected by api; 20 answers by capture are not counted");
  }
  expect(await figures("method=capture&statistics=true")).toMatchObject({
    ...capture,
    methods: ["capture"],
    others: [{ method: "api", answers: 20 }],
  });
});

test("each metric accepts a method, and states the excluded answers", async () => {
  const project = `client_id=${s.organization.id}&project_id=${analysis.split("/").at(-1)}`;
  const of = (path: string, query: string) => `/api/v1/${path}?${project}&${query}`;
  const first = { others: [{ method: "capture", answers: 20 }], methods: ["api"], answers: 20 };
  const other = { others: [{ method: "api", answers: 20 }], methods: ["capture"], answers: 20 };
  const basisOf = async (path: string) => {
    const { status, body } = await s.owner.get(path);
    if (status !== 200) throw new Error(JSON.stringify(body));
    const { other_methods: others, collection_methods: methods, answers } = body.basis;
    return { others, methods, answers };
  };
  for (const path of [
    of("top-brands", ""),
    of("top-brands", "statistics=true"),
    of("top-brands", "sources=ASSISTANT_A"),
    of("keywords-metrics", KEYWORDS),
    `${analysis}/metrics/citations?`,
    `${analysis}/metrics/queries?`,
  ]) {
    expect({ path, ...(await basisOf(path)) }).toEqual({ path, ...first });
    expect({ path, ...(await basisOf(`${path}&method=capture`)) }).toEqual({ path, ...other });
  }
  const ranks = async (query: string) => {
    const { body } = await s.owner.get(of("keywords-metrics", `${KEYWORDS}&${query}`));
    return body.data.map((row: { assistant_a_rank?: number }) => row.assistant_a_rank ?? null);
  };
  expect(await ranks("")).toEqual(PROMPTS.map((prompt) => (numberOf(prompt) < 8 ? 1 : null)));
  expect(await ranks("method=capture")).toEqual(PROMPTS.map((prompt) => (numberOf(prompt) < 3 ? 2 : null)));
  const wrong = await s.owner.get(`${analysis}/metrics/visibility?method=import`);
  expect([wrong.status, wrong.body.fields[0].path]).toEqual([400, "method"]);
});

test("a content brief counts answers, brands and citations of the first method only", async () => {
  const { status, body } = await s.owner.post(`${s.workspace.path}/content-briefs`, {
    analysis_id: analysis.split("/").at(-1),
    topic: "All",
  });
  expect([status, body.collection_methods]).toEqual([201, ["api"]]);
  const prompts: { answers: number; occurrences: number }[] = body.target_prompts;
  const counts = prompts.map(({ answers, occurrences }) => [answers, occurrences]);
  expect(counts).toEqual(PROMPTS.map((prompt) => [2, numberOf(prompt) < 8 ? 2 : 0]));
  expect(body.entities).toMatchObject([{ brand: "Acme", occurrences: 16, average_rank: 1 }]);
  expect(body.cited_sources).toMatchObject([{ domain: "interface.example", citations: 20 }]);
});

function part(source: "ASSISTANT_A" | "SEARCH_A", method: "api" | "capture" | "serp_provider" | "simulated") {
  return { source, method };
}

test("a source with several methods uses the first available in order, else the largest", () => {
  const [a, c, sim] = [part("ASSISTANT_A", "api"), part("ASSISTANT_A", "capture"), part("ASSISTANT_A", "simulated")];
  const serp = part("SEARCH_A", "serp_provider");
  expect(selectCountedParts([a, c, serp, sim], ["capture", "api"])).toEqual([c, serp]);
  expect(selectCountedParts([sim], ["capture", "api"])).toEqual([sim]);
  expect(selectOneMethod([a, c, c, serp], [])).toEqual([c, c, serp]);
  expect(selectOneMethod([a, c], ["api"], (one) => (one === a ? 0 : 5))).toEqual([c]);
  expect(selectOneMethod([a, c], ["api"], () => 0)).toEqual([a]);
});
