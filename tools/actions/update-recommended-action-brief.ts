import { z } from "zod";
import { findTaskBrief, updateBrief, type BriefRow } from "../../db/briefs/briefs.ts";
import { findAction, findCollectNumber, updateTaskImplementation } from "../../db/actions/recommended-actions.ts";
import type { Tenant } from "../../db/engine/store.ts";
import { AppError, requireFound } from "../../core/shared/errors.ts";
import { isBlank, nameSchema, textSchema } from "../../core/shared/fields.ts";
import { BRIEF_STATUSES } from "../../core/actions/action.ts";
import { createBaseline } from "../../core/actions/effect.ts";
import { MAX_BRIEF_BODY_LENGTH, MAX_BRIEF_TITLE_LENGTH } from "../../core/briefs/write-brief.ts";
import { endpoint } from "../endpoint.ts";
import { taskPath } from "./action-path.ts";
import { Brief, shapeBrief } from "./brief.ts";

const EMPTY_MESSAGE = "must not be empty";
const isWritten = (value: string): boolean => !isBlank(value);

export const updateRecommendedActionBrief = endpoint({
  name: "updateRecommendedActionBrief",
  method: "PATCH",
  path: "/v1/organizations/:organization_id/workspaces/:workspace_id/recommended-actions/:result_id/tasks/:task_id/brief",
  group: "Recommended Action Brief",
  summary: "Edit a brief or set its status",
  logged: "Edited the brief of {task_id}",
  description:
    "Changes the text or the status of a brief. An edited brief is never rewritten. After the status implemented, the next run measures the effect.",
  access: { workspace: "editor" },
  input: z.strictObject({
    ...taskPath,
    title: nameSchema(MAX_BRIEF_TITLE_LENGTH)
      .refine((value) => value === "" || isWritten(value), EMPTY_MESSAGE)
      .optional()
      .describe("One line, up to 255 characters."),
    body: textSchema(MAX_BRIEF_BODY_LENGTH)
      .refine(isWritten, EMPTY_MESSAGE)
      .optional()
      .describe("Markdown, up to 50,000 characters."),
    status: z.enum(BRIEF_STATUSES).optional().describe("New status; every change is allowed."),
  }),
  output: Brief,
  errors: ["BRIEF_NOT_READY"],
  async handle({ result_id: resultId, task_id: taskId, ...given }, { tenant, now }) {
    const row = requireFound(await findTaskBrief(tenant, { resultId, taskId }), "task with a brief");
    if (row.readyAt === null) {
      throw new AppError("BRIEF_NOT_READY", "The brief is still being written. Try again in a moment.");
    }
    const { title = row.title, body = row.body, status = row.status } = given;
    const edited = title !== row.title || body !== row.body;
    if (status !== row.status)
      await recordImplementation(tenant, { resultId, taskId, fromStatus: row.status, toStatus: status, now });
    const isUserEdited = row.isUserEdited || edited;
    const stored = requireFound(
      await updateBrief(tenant, row.id, { title, body, status, isUserEdited, updatedAt: now }),
      "task with a brief",
    );
    return shapeBrief(stored);
  },
});

async function recordImplementation(
  tenant: Tenant,
  step: { resultId: string; taskId: string; fromStatus: BriefRow["status"]; toStatus: BriefRow["status"]; now: string },
): Promise<void> {
  if (step.fromStatus !== "implemented" && step.toStatus !== "implemented") return;
  const action = step.toStatus === "implemented" ? await findAction(tenant, step.resultId) : undefined;
  const collectNumber = action && (await findCollectNumber(tenant, action.collectId));
  const baseline =
    action && collectNumber !== undefined
      ? createBaseline({ id: action.collectId, collectNumber }, action.evidence)
      : null;
  await updateTaskImplementation(tenant, step.taskId, {
    implementedAt: baseline === null ? null : step.now,
    baseline,
    effect: null,
    updatedAt: step.now,
  });
}
