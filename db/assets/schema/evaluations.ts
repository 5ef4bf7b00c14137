import { ASSET_CLASSES } from "../../../core/assets/assets.ts";
import { ASSET_SCORE_STATUSES, EVALUATION_STATUSES } from "../../../core/assets/evaluation.ts";
import type { AttributeScore, Quote } from "../../../core/assets/scorer.ts";
import { assets } from "./assets.ts";
import {
  float,
  id,
  foreignId,
  index,
  instant,
  int,
  json,
  oneOf,
  primaryKey,
  string,
  table,
} from "../../engine/columns.ts";
import { users } from "../../identity/schema/identity.ts";
import { workspaceColumns } from "../../identity/schema/tenant.ts";

export const assetEvaluations = table(
  "asset_evaluations",
  {
    id: id("id").primaryKey(),
    ...workspaceColumns(),
    name: string("name").notNull(),
    nameFolded: string("name_folded").notNull(),
    status: oneOf("status", EVALUATION_STATUSES).notNull(),
    statusReason: string("status_reason"),
    assetClass: oneOf("asset_class", ASSET_CLASSES).notNull(),
    category: string("category").notNull(),
    attributes: json<string[]>("attributes").notNull(),
    /** Not a foreign key: an evaluation outlives its brand. */
    brandId: id("brand_id"),
    language: string("language").notNull(),
    /** Number of the latest run, from 1; the following columns describe this run. */
    run: int("run").notNull(),
    planned: int("planned").notNull(),
    judged: int("judged").notNull(),
    /** Mean score of the assets; null until a run completes with one. */
    score: float("score"),
    /** Credits per asset, fixed at pricing. */
    unitCredits: int("unit_credits").notNull(),
    reservedCredits: int("reserved_credits").notNull(),
    costCredits: int("cost_credits").notNull(),
    createdBy: foreignId("created_by", () => users.id),
    createdAt: instant("created_at").notNull(),
    startedAt: instant("started_at"),
    finishedAt: instant("finished_at"),
    updatedAt: instant("updated_at").notNull(),
  },
  (t) => [index("asset_evaluations_workspace").on(t.workspaceId, t.id)],
);

/** Scores of one run. Rows are inserted before assets are scored. */
export const assetScores = table(
  "asset_scores",
  {
    evaluationId: foreignId("evaluation_id", () => assetEvaluations.id),
    run: int("run").notNull(),
    position: int("position").notNull(),
    assetId: foreignId("asset_id", () => assets.id),
    status: oneOf("status", ASSET_SCORE_STATUSES).notNull(),
    reason: string("reason"),
    score: int("score"),
    explanation: string("explanation"),
    quotes: json<Quote[]>("quotes").notNull(),
    attributes: json<AttributeScore[]>("attributes").notNull(),
    /** Quotes of the model that do not occur in the text. */
    droppedQuotes: int("dropped_quotes").notNull(),
    scorer: string("scorer"),
    finishedAt: instant("finished_at"),
  },
  (t) => [primaryKey({ columns: [t.evaluationId, t.run, t.position] }), index("asset_scores_asset").on(t.assetId)],
);
