import { randomUUID } from "node:crypto";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { listPersonas } from "../../../tools/personas/list-personas.ts";
import type { Ask } from "../../http/pages/call-endpoint.ts";
import { FORM_ID_FIELD, type Fault } from "../../http/pages/post-form.ts";
import type { Instant } from "../../../core/shared/time.ts";
import { storeDraft, createDraft, readDraft, type Draft } from "./drafts.ts";
import { newAnalysisAddress, type WorkspaceIds } from "../shared/page-addresses.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { getWorkspaceIds } from "../shared/workspace-ids.ts";
import { listOfferedBrands, type OfferedBrands } from "./draft-brands.ts";
import { listOfferedSources, type OfferedSource } from "./draft-setup.ts";
import { isFieldOfStep, NEW_TYPES, STEPS, type NewType, type StepName } from "./steps.ts";

export interface Wizard {
  ids: WorkspaceIds;
  type: NewType;
  step: StepName;
  draft: Draft;
  isDraftLost: boolean;
  call: Ask;
  brands: OfferedBrands;
  personas: readonly { id: string; name: string }[];
  offered: readonly OfferedSource[];
}

export interface StepView extends Wizard {
  now: Instant;
  faults: readonly Fault[];
  /** Problem that belongs to no field. */
  problem: string | undefined;
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** NOT_FOUND for an unknown step. */
export async function openWizard(visit: Visit): Promise<Wizard> {
  const { request, visitor, web, call } = visit;
  const { type: named, step: at } = request.params;
  const ids = getWorkspaceIds(visit);
  const type = (Object.keys(NEW_TYPES) as NewType[]).find((one) => one === named);
  const step = type && STEPS[type].find((one) => one === at);
  if (!type || !step) throw notFound("page");
  const id = visit.query.get("draft") ?? visit.form.get(FORM_ID_FIELD) ?? "";
  const draftPath = buildDraftPath(ids, type);
  const [found, brands, personas] = await Promise.all([
    UUID_PATTERN.test(id) ? readDraft({ id, userId: visitor.userId, draftPath }, web) : undefined,
    listOfferedBrands(call, ids),
    call(listPersonas, { ...ids, limit: 100 }),
  ]);
  const draft = found ?? createDraft(UUID_PATTERN.test(id) ? id : randomUUID());
  const isDraftLost = !found && request.method === "GET" && id !== "";
  const offered = listOfferedSources(web.deps.adapters);
  return { ids, type, step, draft, isDraftLost, call, brands, personas: personas.data, offered };
}

function buildDraftPath({ organization_id, workspace_id }: WorkspaceIds, type: NewType): string {
  return `${organization_id}/${workspace_id}/${type}`;
}

export async function saveDraft({ ids, type, draft }: Wizard, { visitor, web }: Visit): Promise<void> {
  await storeDraft({ userId: visitor.userId, draftPath: buildDraftPath(ids, type) }, draft, web);
}

export function storeFields({ type, step, draft }: Wizard, typed: URLSearchParams): void {
  const { fields } = draft;
  for (const field of new Set(fields.keys())) if (isFieldOfStep(type, step, field)) fields.delete(field);
  for (const [field, value] of typed) {
    // Normalises line breaks, which browsers send as CR LF.
    if (isFieldOfStep(type, step, field)) fields.append(field, value.replaceAll("\r\n", "\n"));
  }
  if (!draft.sent.includes(step)) draft.sent.push(step);
}

export function stepAddress({ ids, type, draft }: Pick<Wizard, "ids" | "type" | "draft">, step: StepName): string {
  return `${newAnalysisAddress(ids, `${type}/${step}`)}?draft=${draft.id}`;
}

export function requireEditor({ visitor }: Visit): void {
  if (visitor.frame.workspace?.role === "editor") return;
  throw new AppError("FORBIDDEN", "Only editors of this workspace can set up analyses. Ask one of them, or an owner.");
}
