import { randomUUID } from "node:crypto";
import { AppError, notFound } from "../../../core/shared/errors.ts";
import { listPersonas } from "../../../tools/personas/list-personas.ts";
import type { Ask } from "../../http/pages/ask.ts";
import { FORM_ID } from "../../http/pages/post-form.ts";
import type { Instant } from "../../../core/shared/time.ts";
import type { Fault } from "../../http/pages/post-form.ts";
import { keepDraft, newDraft, readDraft, type Draft } from "./drafts.ts";
import { newAnalysisAddress, type WorkspacePlace } from "../shared/places.ts";
import type { Visit } from "../../http/pages/for-visitor.ts";
import { placeOf } from "../shared/place-of.ts";
import { offeredBrands, type OfferedBrands } from "./brands-of-draft.ts";
import { offeredSources, type OfferedSource } from "./setup-of-draft.ts";
import { isOfStep, NEW_TYPES, STEPS, type NewType, type StepName } from "./steps.ts";

export interface Wizard {
  place: WorkspacePlace;
  type: NewType;
  step: StepName;
  draft: Draft;
  /** True if the draft in the URL no longer exists. */
  isGone: boolean;
  ask: Ask;
  brands: OfferedBrands;
  personas: readonly { id: string; name: string }[];
  offered: readonly OfferedSource[];
}

/** Step of the wizard, as its page shows it. */
export interface StepView extends Wizard {
  now: Instant;
  faults: readonly Fault[];
  /** Fault of no field. */
  problem: string | undefined;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** NOT_FOUND for an unknown step. */
export async function openWizard(visit: Visit): Promise<Wizard> {
  const { request, visitor, web, ask } = visit;
  const { type: named, step: at } = request.params;
  const place = placeOf(visit);
  const type = (Object.keys(NEW_TYPES) as NewType[]).find((one) => one === named);
  const step = type && STEPS[type].find((one) => one === at);
  if (!type || !step) throw notFound("page");
  const id = visit.query.get("draft") ?? visit.form.get(FORM_ID) ?? "";
  const of = draftOf(place, type);
  const [found, brands, personas] = await Promise.all([
    UUID.test(id) ? readDraft({ id, userId: visitor.userId, of }, web) : undefined,
    offeredBrands(ask, place),
    ask(listPersonas, { ...place, limit: 100 }),
  ]);
  const draft = found ?? newDraft(UUID.test(id) ? id : randomUUID());
  const isGone = !found && request.method === "GET" && id !== "";
  const offered = offeredSources(web.deps.adapters);
  return { place, type, step, draft, isGone, ask, brands, personas: personas.data, offered };
}

function draftOf({ organization_id, workspace_id }: WorkspacePlace, type: NewType): string {
  return `${organization_id}/${workspace_id}/${type}`;
}

export async function keepWizard({ place, type, draft }: Wizard, { visitor, web }: Visit): Promise<void> {
  await keepDraft({ userId: visitor.userId, of: draftOf(place, type) }, draft, web);
}

/** Replaces the draft's fields of this step by the submitted ones. */
export function takeFields({ type, step, draft }: Wizard, typed: URLSearchParams): void {
  const { fields } = draft;
  for (const field of new Set(fields.keys())) if (isOfStep(type, step, field)) fields.delete(field);
  for (const [field, value] of typed) {
    // Browsers send line breaks as CR LF.
    if (isOfStep(type, step, field)) fields.append(field, value.replaceAll("\r\n", "\n"));
  }
  if (!draft.sent.includes(step)) draft.sent.push(step);
}

export function stepAddress({ place, type, draft }: Pick<Wizard, "place" | "type" | "draft">, step: StepName): string {
  return `${newAnalysisAddress(place, `${type}/${step}`)}?draft=${draft.id}`;
}

/** FORBIDDEN unless the visitor is an editor of the workspace. */
export function requireEditor({ visitor }: Visit): void {
  if (visitor.frame.workspace?.role === "editor") return;
  throw new AppError("FORBIDDEN", "Only editors of this workspace can set up analyses. Ask one of them, or an owner.");
}
