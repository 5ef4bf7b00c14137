import {
  findBriefToWrite,
  listBriefPages,
  listEvidenceQuestions,
  listAnswerExcerpts,
} from "../../../db/briefs/brief-material.ts";
import { writeBriefText } from "../../../db/briefs/briefs.ts";
import { listCountedMethods } from "../../../db/metrics/methods.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import { tenantStore } from "../../../db/engine/tenant-store.ts";
import { writeBrief } from "../../../core/briefs/write-brief.ts";
import type { TaskStep } from "../../../core/actions/action.ts";
import type { BackgroundJob, BackgroundWork } from "../background/background.ts";

const MAX_QUOTATIONS = 3;

/** Never overwrites a brief that a person edited or sent. */
export async function writeTaskBrief(job: BackgroundJob, work: BackgroundWork): Promise<void> {
  const store = tenantStore(work.store, job);
  const material = await store.read((tenant) => gatherMaterial(tenant, job.subjectId));
  if (!material) return;
  const written = writeBrief(material);
  await store.write((tenant) => writeBriefText(tenant, material.task.id, { ...written, writtenAt: work.now() }));
}

async function gatherMaterial(tenant: Tenant, taskId: string) {
  const found = await findBriefToWrite(tenant, taskId);
  if (!found || found.brief.isUserEdited || found.brief.partnerSubmittedAt !== null) return undefined;
  const { action, task, own, collect } = found;
  const { collectId, evidence } = action;
  const scope = { collectId, questionIds: await listEvidenceQuestions(tenant, action) };
  const answerIds = [...new Set(evidence.flatMap(({ answer_ids }) => answer_ids.slice(0, 1)))].slice(0, MAX_QUOTATIONS);
  return {
    own,
    task: { ...task, step: task.step as TaskStep }, // Safe: stored from a TaskStep.
    action,
    evidence,
    collect,
    quotes: await listAnswerExcerpts(tenant, answerIds),
    pages: await listBriefPages(
      tenant,
      { ...scope, ways: await listCountedMethods(tenant.db, collectId) },
      found.ownId,
    ),
  };
}
