import type { Evidence } from "../../core/actions/action.ts";
import type { Db } from "../../db/engine/store.ts";
import type { tables } from "../../db/schema.ts";
import { insertScene } from "./search-scene.ts";
import type { world } from "./world.ts";

const AT = "2026-11-21T08:00:00.000Z";

/** Sources and runs of the one keyword. */
export const ACTION_SETUP = {
  website: "https://acme.example",
  sources: ["ASSISTANT_A"],
  country: "US",
  language: "en",
  device: "desktop",
  runs_per_prompt: 1,
};

interface Change {
  action?: Partial<typeof tables.recommendedActions.$inferInsert>;
  brief?: Partial<typeof tables.briefs.$inferInsert>;
}

/**
 * An analysis of one keyword with an action, its task and its brief, as background jobs store them.
 */
export async function insertActionScene(
  w: Awaited<ReturnType<typeof world>>,
  ids: { organizationId: string; workspaceId: string; userId: string },
  change: Change = {},
) {
  const made = {
    analysisId: w.deps.newId(),
    collectId: w.deps.newId(),
    resultId: w.deps.newId(),
    taskId: w.deps.newId(),
    briefId: w.deps.newId(),
  };
  const [brand, rival, thematic, topic, keyword] = Array.from({ length: 5 }, w.deps.newId) as [
    string,
    string,
    string,
    string,
    string,
  ];
  await w.store.write(async (db) => {
    await insertScene(db, ids, {
      projectId: made.analysisId,
      setup: ACTION_SETUP,
      ownBrandId: brand,
      competitorIds: [rival],
      brands: [
        { id: brand, name: `Own ${brand}` },
        { id: rival, name: `Rival ${rival}` },
      ],
      facets: [
        { id: thematic, kind: "thematic", name: "Home" },
        { id: topic, kind: "topic", name: "First", parentId: thematic },
      ],
      keywords: [{ id: keyword, text: "best machine", thematicId: thematic, topicId: topic }],
      collects: [
        {
          id: made.collectId,
          number: 1,
          answers: [{ id: w.deps.newId(), keyword, source: "ASSISTANT_A", places: [{ brand_id: rival, rank: 1 }] }],
        },
      ],
    });
    await insertAction(db, ids, made, change);
  });
  return made;
}

async function insertAction(
  db: Db,
  { organizationId, workspaceId }: { organizationId: string; workspaceId: string },
  made: { analysisId: string; collectId: string; resultId: string; taskId: string; briefId: string },
  change: Change,
): Promise<void> {
  const { t } = db;
  const own = { organizationId, workspaceId, createdAt: AT, updatedAt: AT };
  await db.bulkInsert(t.recommendedActions, [
    {
      ...own,
      id: made.resultId,
      analysisId: made.analysisId,
      subject: "a topic",
      rule: "competitor_present",
      triggerText: "A competitor is there.",
      actionLabel: "Close a gap",
      category: "content",
      channel: "assistants",
      description: "Write about it.",
      reasoning: "Because of that.",
      evidence: [],
      evidenceCount: 0,
      score: 50,
      impact: "high",
      effort: "low",
      criticality: "medium",
      timeline: "month",
      workflowStatus: "new",
      collectId: made.collectId,
      collectionMethods: ["simulated"],
      firstSeenAt: AT,
      lastSeenAt: AT,
      ...change.action,
    },
  ]);
  await db.bulkInsert(t.actionTasks, [
    {
      ...own,
      id: made.taskId,
      actionId: made.resultId,
      step: "write",
      position: 1,
      title: "Write a page",
      description: "Write it.",
    },
  ]);
  await db.bulkInsert(t.briefs, [
    {
      ...own,
      id: made.briefId,
      taskId: made.taskId,
      title: "A page",
      body: "# A page",
      isUserEdited: false,
      readyAt: AT,
      status: "not_started",
      ...change.brief,
    },
  ]);
}

/** A row of evidence with every field at its maximum. */
export function fullEvidence(newId: () => string, k: number): Evidence {
  return {
    rule: "competitor_present",
    counted: true,
    collect_id: newId(),
    previous_collect_id: newId(),
    keyword_id: newId(),
    keyword: `what is the best thing of kind number ${k}?`,
    topic_id: newId(),
    topic: `Topic ${k}`,
    source: "SEARCH_B_AI_MODE",
    search_volume: 8100,
    answers: 12,
    occurrences: 1,
    previous_answers: 13,
    previous_occurrences: 7,
    rank: 3.25,
    previous_rank: 1.5,
    brand_id: newId(),
    brand: `Brand with a long name ${k}`,
    brand_occurrences: 11,
    brand_rank: 1.75,
    domain: `a-site-with-a-long-name-${k}.example`,
    url: `https://a-site-with-a-long-name-${k}.example/a/page/that/is/long/enough/to/weigh/something/${k}`,
    answer_ids: Array.from({ length: 5 }, newId),
  };
}
