import { ASSET_CLASSES } from "../../../core/assets/assets.ts";
import { ASSET_SCORE_STATUSES, EVALUATION_STATUSES } from "../../../core/assets/evaluation.ts";
import type { AttributeScore, Quote } from "../../../core/assets/scorer.ts";
import { assets } from "./assets.ts";
import * as c from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

export const assetEvaluations = c.table(
  "asset_evaluations",
  {
    id: c.id("id").primaryKey(),
    ...workspaceColumns(),
    name: c.string("name").notNull(),
    nameFolded: c.string("name_folded").notNull(),
    status: c.oneOf("status", EVALUATION_STATUSES).notNull(),
    statusReason: c.string("status_reason"),
    assetClass: c.oneOf("asset_class", ASSET_CLASSES).notNull(),
    category: c.string("category").notNull(),
    attributes: c.json<string[]>("attributes").notNull(),
    /** Not a foreign key: an evaluation outlives its brand. */
    brandId: c.id("brand_id"),
    language: c.string("language").notNull(),
    /** From 1; the following columns describe this run. */
    run: c.int("run").notNull(),
    planned: c.int("planned").notNull(),
    judged: c.int("judged").notNull(),
    /** Mean over the assets; null until a run completes with one. */
    score: c.float("score"),
    unitCredits: c.int("unit_credits").notNull(),
    reservedCredits: c.int("reserved_credits").notNull(),
    costCredits: c.int("cost_credits").notNull(),
    createdBy: c.foreignId("created_by", () => users.id),
    createdAt: c.instant("created_at").notNull(),
    startedAt: c.instant("started_at"),
    finishedAt: c.instant("finished_at"),
    updatedAt: c.instant("updated_at").notNull(),
  },
  (t) => [c.index("asset_evaluations_workspace").on(t.workspaceId, t.id)],
);

/** Rows are inserted before assets are scored. */
export const assetScores = c.table(
  "asset_scores",
  {
    evaluationId: c.foreignId("evaluation_id", () => assetEvaluations.id),
    run: c.int("run").notNull(),
    position: c.int("position").notNull(),
    assetId: c.foreignId("asset_id", () => assets.id),
    status: c.oneOf("status", ASSET_SCORE_STATUSES).notNull(),
    reason: c.string("reason"),
    score: c.int("score"),
    explanation: c.string("explanation"),
    quotes: c.json<Quote[]>("quotes").notNull(),
    attributes: c.json<AttributeScore[]>("attributes").notNull(),
    /** Quotes of the model that do not occur in the text. */
    droppedQuotes: c.int("dropped_quotes").notNull(),
    scorer: c.string("scorer"),
    finishedAt: c.instant("finished_at"),
  },
  (t) => [c.primaryKey({ columns: [t.evaluationId, t.run, t.position] }), c.index("asset_scores_asset").on(t.assetId)],
);
