import { expect, test } from "vitest";
import { explainUnjudged } from "../../src/call/explain-unjudged.ts";
import { insertScene, type Scene } from "../support/search-scene.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { WITHOUT_LIMITS, world } from "../support/world.ts";

const [brand, thematic, topic, persona, keyword, project, collect] = Array.from({ length: 7 }, () =>
  crypto.randomUUID(),
);

/** One prompt, sent once to an assistant and to a search engine without an AI overview. */
const SCENE = {
  projectId: project,
  ownBrandId: brand,
  brands: [{ id: brand, name: "Acme" }],
  facets: [
    { id: thematic, kind: "thematic", name: "Phones" },
    { id: topic, kind: "topic", name: "All", parentId: thematic },
  ],
  personas: [{ id: persona, name: "Nobody" }],
  keywords: [{ id: keyword, text: "best phone", thematicId: thematic, topicId: topic }],
  collects: [
    {
      id: collect,
      number: 1,
      answers: [
        { keyword, source: "ASSISTANT_A", method: "api", places: [{ brand_id: brand, rank: 1 }] },
        { keyword, source: "SEARCH_B_AIO", method: "serp_provider", shown: false, text: "" },
      ],
    },
  ],
} as Scene;

test("says which filter, source or missing run leaves a metric without rows or verdicts", async () => {
  // Fault: an AI overview that was not shown, and an unused persona, were 0 rows without a reason.
  await using w = await world({ env: WITHOUT_LIMITS });
  const { owner, organization, workspace } = await w.acme();
  const userId = owner.id;
  await w.store.write((db) =>
    insertScene(db, { organizationId: organization.id, workspaceId: workspace.id, userId }, SCENE),
  );
  const { token } = await mintToolToken(w, owner);
  const connect = CLIENTS["SDK 2, auto"];
  if (!connect) throw new Error("there is no such client");
  await using client = await connect(w.config.mcpUrl, { token });
  const call = async (filters: object) => {
    const given = { organization: organization.id, workspace: workspace.id, analysis: project, ...filters };
    const { structured } = await client.call("get_visibility", given);
    return { rows: structured.data.length, note: structured.notes[0] };
  };
  expect(await call({ sources: ["SEARCH_B_AIO"] })).toEqual({
    rows: 0,
    note: "The selected sources showed no answer, such as no AI overview (not_shown: 1). list_answers shows when.",
  });
  expect(await call({ sources: ["Claude"] })).toEqual({
    rows: 0,
    note: "No completed run of this analysis asked Claude. It asked ChatGPT, Google AI Overviews; get_project_filters has all filters.",
  });
  expect(await call({ personas: ["Nobody"] })).toEqual({
    rows: 0,
    note: "No prompt of this analysis matches personas. get_project_filters lists the values that do.",
  });
  expect(await call({ only: "moved" })).toEqual({
    rows: 1,
    note: "No change in these rows can be judged: no comparable earlier run exists. list_collects has the runs.",
  });
});

const rows = (...changes: unknown[]) => ({
  data: changes.map((change) => ({ change, sentiment_change: null })),
  basis: { previous_collects: [{}] },
});
const verdict = (name: string) => ({ verdict: name });

test("explains missing verdicts only if no row has one", () => {
  expect(explainUnjudged(rows(verdict("within_noise"), verdict("insufficient_data"), null))).toBe(undefined);
  expect(explainUnjudged({ data: [{ answers: 3 }] })).toBe(undefined);
  expect([
    explainUnjudged(rows(verdict("insufficient_data"), null)),
    explainUnjudged(rows(verdict("model_changed"))),
    explainUnjudged(rows(null)),
    explainUnjudged({ data: [{ verdict: "insufficient_data" }] }),
  ]).toEqual([
    "No change in these rows can be judged: too little data. More prompts, runs or answers per prompt help; get_analysis has the setup.",
    "No change in these rows can be judged: the runs are not comparable (model_changed). list_collects has the other runs.",
    "No change in these rows can be judged: single prompts, and several runs measured as one, have no verdict. get_visibility by brand or source has them.",
    "No change in these rows can be judged: too little data. More prompts, runs or answers per prompt help; get_analysis has the setup.",
  ]);
});
