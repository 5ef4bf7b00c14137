import { z } from "zod";
import { findCollect } from "../../db/analyses/analyses.ts";
import { listSourceOutcomes } from "../../db/analyses/source-outcomes.ts";
import { requireFound } from "../../core/shared/errors.ts";
import { analysisPath, Id } from "../../core/shared/fields.ts";
import { endpoint } from "../endpoint.ts";
import { CollectWithSourcesSchema, shapeCollect, shapeEnds } from "./collect.ts";

export const getCollect = endpoint({
  name: "getCollect",
  method: "GET",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/analyses/:analysis_id/collects/:collect_id",
  group: "Analyses",
  summary: "Read a run",
  description:
    "Follow one run (`collect`): how many answers arrived, the result per source, and remedies for failures. list_collects has all runs.",
  access: { workspace: "viewer" },
  input: z.strictObject({
    ...analysisPath,
    collect_id: Id.describe("Collect id, from list_collects."),
    wait: z.int().min(0).max(50).default(0).describe("Max seconds to wait for completion."),
  }),
  output: CollectWithSourcesSchema,
  isSettled: ({ status }) => status !== "queued" && status !== "running",
  async handle({ analysis_id: analysisId, collect_id: collectId }, { tenant, now }) {
    const row = requireFound(await findCollect(tenant, { analysisId, collectId }), "collect");
    return { ...shapeCollect(row, now), sources: (await listSourceOutcomes(tenant, row.id)).map(shapeEnds) };
  },
});
