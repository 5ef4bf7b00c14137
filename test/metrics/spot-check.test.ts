import { expect, test } from "vitest";
import { estimateSpotCheck } from "../../core/statistics/spot-check.ts";
import { insertScene, type Scene, type SceneAnswer } from "../support/search-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { WITHOUT_LIMITS, world } from "../support/world.ts";

const id = () => crypto.randomUUID() as string;
const [own, rival, thematic, topic, project, collect] = [id(), id(), id(), id(), id(), id()];
const PROMPTS = Array.from({ length: 6 }, (_, at) => ({
  id: id(),
  text: `best phone ${at}`,
  thematicId: thematic,
  topicId: topic,
}));
/** Number of answers of ChatGPT with the own brand, by prompt; each has three. */
const NAMED = [0, 0, 1, 2, 3, 3];

const answerId = (at: number, run: number) => `00000000-0000-7000-8000-0000000000${at}${run}`;

/** Three answers of ChatGPT to each prompt, and one of Perplexity, which never names the brand. */
function sceneOf(method: "api" | "simulated"): Scene {
  const answers = PROMPTS.flatMap(({ id: keyword }, at): SceneAnswer[] => [
    ...[0, 1, 2].map((run): SceneAnswer => ({
      id: answerId(at, run),
      keyword,
      source: "ASSISTANT_A",
      run,
      method,
      places: [{ brand_id: run < (NAMED[at] ?? 0) ? own : rival, rank: 1 }],
    })),
    { id: answerId(at, 9), keyword, source: "ASSISTANT_B", method, places: [{ brand_id: rival, rank: 1 }] },
  ]);
  return {
    projectId: project,
    ownBrandId: own,
    competitorIds: [rival],
    brands: [
      { id: own, name: "Acme" },
      { id: rival, name: "Globex" },
    ],
    facets: [
      { id: thematic, kind: "thematic", name: "Phones" },
      { id: topic, kind: "topic", name: "All", parentId: thematic },
    ],
    keywords: PROMPTS,
    collects: [{ id: collect, number: 1, answers }],
  };
}

async function spotCheck(method: "api" | "simulated") {
  const w = await world({ env: WITHOUT_LIMITS });
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  await w.store.write((db) => insertScene(db, ids, sceneOf(method)));
  const { token } = await mintToolToken(w, owner);
  const connect = CLIENTS["SDK 2, auto"];
  if (!connect) throw new Error("there is no such client");
  const client = await connect(w.config.mcpUrl, { token });
  return {
    ask: (query = "") => owner.get(`${workspace.path}/analyses/${project}/metrics/spot-check?${query}`),
    call: (given: Record<string, unknown> = {}) => client.call("explain_spot_check", given),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      await w[Symbol.asyncDispose]();
    },
  };
}

const round = (value: number | null | undefined) => (value == null ? null : Math.round(value * 1e6) / 1e6);

const chances = (cells: { x: number; n: number }[]) =>
  Object.fromEntries(
    Object.entries({ seen_once: 1, seen_of_3: 3, seen_of_5: 5 }).flatMap(([name, asks]) => {
      const { chance, interval } = estimateSpotCheck(
        cells.map((cell) => [cell]),
        asks,
      );
      return [
        [name, round(chance)],
        [`${name}_ci_low`, round(interval?.low)],
        [`${name}_ci_high`, round(interval?.high)],
      ];
    }),
  );

test("returns how often one, three and five asks show the brand, and the prompts with answers, in REST and the tool", async () => {
  await using s = await spotCheck("api");
  const { status, body } = await s.ask();
  const chatGpt = NAMED.map((x) => ({ x, n: 3 }));
  const perplexity = NAMED.map(() => ({ x: 0, n: 1 }));
  const counts = { prompts: 6 };
  expect([status, body.brand, body.total_count, body.by_source]).toEqual([
    200,
    "Acme",
    12,
    [
      {
        source: "ChatGPT",
        ...counts,
        answers: 18,
        occurrences: 9,
        never: 2,
        sometimes: 2,
        always: 2,
        ...chances(chatGpt),
      },
      {
        source: "Perplexity",
        ...counts,
        answers: 6,
        occurrences: 0,
        never: 6,
        sometimes: 0,
        always: 0,
        ...chances(perplexity),
      },
    ],
  ]);
  const row = (at: number, source: string, named: number, answers: number, seen: string) => ({
    source,
    keyword: PROMPTS[at]?.text,
    keyword_id: PROMPTS[at]?.id,
    answers,
    occurrences: named,
    seen,
    answer_with_brand: named === 0 ? null : answerId(at, named - 1),
    answer_without_brand: named === answers ? null : answerId(at, answers === 1 ? 9 : 2),
  });
  expect(body.data).toEqual([
    row(0, "ChatGPT", 0, 3, "never"),
    row(1, "ChatGPT", 0, 3, "never"),
    ...PROMPTS.map((_, at) => row(at, "Perplexity", 0, 1, "never")),
    row(2, "ChatGPT", 1, 3, "sometimes"),
    row(3, "ChatGPT", 2, 3, "sometimes"),
    row(4, "ChatGPT", 3, 3, "always"),
    row(5, "ChatGPT", 3, 3, "always"),
  ]);
  expect(body.basis).toMatchObject({ answers: 24, prompts: 6, kind: "collected" });
  expect(body.basis.legend).toMatch(/cause not measured; n = 24 answers/);
  const { structured, text } = await s.call({ seen: "always", sources: ["chatgpt"] });
  expect(structured.data).toEqual(
    [4, 5].map((at) => {
      const { keyword_id: _, answer_without_brand: __, ...shown } = row(at, "ChatGPT", 3, 3, "always");
      return shown;
    }),
  );
  expect(structured.by_source).toEqual(body.by_source.slice(0, 1));
  expect(text).toContain(answerId(5, 2));
});

test("takes a brand, dates and filters of get_visibility, and rejects unknown ones with the known ones", async () => {
  await using s = await spotCheck("api");
  const rivals = await s.ask("brand=globex&sources=ASSISTANT_A&keywords=best phone 0&topics=All");
  expect([rivals.body.brand, rivals.body.data]).toEqual([
    "Globex",
    [
      {
        source: "ChatGPT",
        keyword: "best phone 0",
        keyword_id: PROMPTS[0]?.id,
        answers: 3,
        occurrences: 3,
        seen: "always",
        answer_with_brand: answerId(0, 2),
        answer_without_brand: null,
      },
    ],
  ]);
  const { body: all } = await s.ask();
  expect((await s.ask("since=2026-11-21&until=2026-11-21")).body.data).toEqual(all.data);
  expect((await s.ask("since=2026-01-01&until=2026-01-31")).body).toMatchObject({ data: [], by_source: [] });
  expect((await s.ask("brand=nobody&seen=often")).body.fields).toEqual([
    {
      path: "seen",
      message: "must be one of never, sometimes, always",
      allowed: ["never", "sometimes", "always"],
      allowed_count: 3,
    },
  ]);
  expect((await s.ask("brand=nobody")).body.fields).toMatchObject([{ path: "brand", allowed_count: 2 }]);
});

test("simulated answers are named first, and an empty result has its reason", async () => {
  await using s = await spotCheck("simulated");
  const simulated = await s.call();
  expect(simulated.structured.notes[0]).toBe("Simulated answers: invented, not measured.");
  const empty = await s.call({ sources: ["Perplexity"], seen: "always" });
  expect(empty.structured.data).toEqual([]);
  expect(empty.structured.notes).toContain(
    "No row matches sources: ASSISTANT_B; without sources there are rows. Call explain_spot_check again without sources.",
  );
});
