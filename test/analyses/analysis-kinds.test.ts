import { expect, test } from "vitest";
import { reserveCredits } from "../../db/credits/credits.ts";
import type { AnalysisKind } from "../../tools/analyses/kinds/analysis-kind.ts";
import { collectsCost } from "../../tools/collects/collect-cost.ts";
import { launchAnalysis } from "../../tools/analyses/launch-analysis.ts";
import { searchAnalysis } from "../../tools/analyses/kinds/search-analysis/search-analysis.ts";
import type {
  searchAnalysisFields,
  SearchAnalysisSetup,
} from "../../tools/analyses/kinds/search-analysis/search-analysis-setup.ts";
import { collectScene } from "../collecting/scene.ts";

/** A kind whose questions have no groups. */
const plain: AnalysisKind<typeof searchAnalysisFields, SearchAnalysisSetup> = {
  ...searchAnalysis,
  buildQuestions(...given) {
    const { questions } = searchAnalysis.buildQuestions(...given);
    return { facets: [], questions: questions.map((one) => ({ ...one, thematicId: null, topicId: null })) };
  },
};

test("questions of a kind without thematics and topics are sent, summed and listed like others", async () => {
  await using s = await collectScene();
  const { now, newId, prices, adapters } = s.deps;
  const [at, id, userId] = [now(), newId(), s.owner.id];
  const setup = searchAnalysis.setup.parse({
    name: "Plain",
    website: "https://acme.test",
    brand_id: s.brandId,
    sources: ["ASSISTANT_B"],
    thematics: [
      { name: "None", topics: [{ name: "None", keywords: [{ text: "best phone" }, { text: "old phone" }] }] },
    ],
    runs_per_prompt: 2,
  });
  await s.store.write(async (db) => {
    const tenant = { db, organizationId: s.organization.id, workspaceId: s.workspace.id };
    const cost = collectsCost(plain, setup, { now: at, prices, adapters });
    await reserveCredits(tenant, cost.total_credits, { id: newId(), at, note: "Reserved", analysisId: id });
    await launchAnalysis(plain, tenant, {
      id,
      setup,
      cost,
      unitCredits: 1,
      userId,
      now: at,
      newId,
      startedCollectCount: 1,
    });
  });
  const path = `${s.workspace.path}/analyses/${id}`;
  expect(await s.ended(path)).toMatchObject({ status: "completed", planned: 4, succeeded: 4 });
  const keywords = (await s.owner.get(`${path}/keywords`)).body.data;
  expect(keywords).toMatchObject([
    { text: "best phone", thematic: "", topic: "" },
    { text: "old phone", thematic: "", topic: "" },
  ]);
  const answers = (await s.owner.get(`${path}/answers?keyword_id=${keywords[1].id}`)).body.data;
  expect(answers).toMatchObject([
    { prompt: "old phone", run: 2 },
    { prompt: "old phone", run: 1 },
  ]);
  const top = await s.owner.get(`/api/v1/top-brands?client_id=${s.organization.id}&project_id=${id}`);
  expect(top.status).toBe(200);
  expect(top.body.data.length).toBeGreaterThan(0);
});
