import type { Fault } from "../../http/pages/post-form.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { priceBrandAnalysis } from "../../../tools/analyses/kinds/price-brand-analysis.ts";
import { priceGeoAudit } from "../../../tools/analyses/kinds/price-geo-audit.ts";
import { priceSearchAnalysis } from "../../../tools/analyses/kinds/price-search-analysis.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import { BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import { parseHost } from "../../../core/identity/domains.ts";
import type { ShownQuote } from "./drafts.ts";
import { resolveBrands } from "./draft-brands.ts";
import { toFaults, findShapeFaults } from "./faults.ts";
import { completeUrl, hasColumns, readDraftKeywords, splitList, buildSetup, fieldValue } from "./draft-setup.ts";
import { isFieldOfStep, findStep, STEPS, type NewType, type StepName } from "./steps.ts";
import type { Wizard } from "./wizard.ts";

export const PRICE_ENDPOINTS: Readonly<Record<NewType, AnyEndpoint>> = {
  search: priceSearchAnalysis,
  brand: priceBrandAnalysis,
  audit: priceGeoAudit,
};

export type StepResult = { next: StepName } | { step: StepName; faults: Fault[] };

/** Validates a submitted step, whose fields are already in the draft, and performs its actions. */
export async function processStep(wizard: Wizard): Promise<StepResult> {
  const { type, step } = wizard;
  const faults = await checkStep(wizard);
  if (faults.length > 0) return { step, faults };
  if (step === "when") return requestPrice(wizard);
  return { next: stepAfter(wizard, type, step) };
}

function stepAfter({ draft }: Wizard, type: NewType, step: StepName): StepName {
  const steps = STEPS[type];
  const next = steps[steps.indexOf(step) + 1] ?? step;
  // A single column needs no assignment.
  return next === "columns" && !hasColumns(draft) ? "where" : next;
}

export function stepBefore({ draft, type, step }: Wizard): StepName {
  const steps = STEPS[type];
  const before = steps[steps.indexOf(step) - 1] ?? step;
  return before === "columns" && !hasColumns(draft) ? "keywords" : before;
}

async function checkStep(wizard: Wizard): Promise<Fault[]> {
  const { type, step } = wizard;
  switch (step) {
    case "what":
      return type === "audit" ? checkAudit(wizard) : checkBrands(wizard);
    case "keywords":
      return hasColumns(wizard.draft) ? [] : checkKeywords(wizard, "keywords");
    case "columns":
      return checkKeywords(wizard, "columns");
    case "prompts":
      return checkPrompts(wizard);
    case "where":
      return checkWhere(wizard);
    default:
      return checkShapes(wizard);
  }
}

function checkShapes(wizard: Wizard): Fault[] {
  const { type, step, draft } = wizard;
  return findShapeFaults(type, step, buildSetup(type, draft, wizard));
}

function checkAudit(wizard: Wizard): Fault[] {
  const { draft } = wizard;
  if (fieldValue(draft, "name").trim() === "")
    draft.fields.set("name", `Audit of ${parseHost(completeUrl(fieldValue(draft, "website")))}`);
  return checkShapes(wizard);
}

async function checkBrands(wizard: Wizard): Promise<Fault[]> {
  const { type, draft, brands } = wizard;
  const { fields } = draft;
  const chosen = brands.own.find(({ id }) => id === fields.get("brand"));
  const name = chosen?.name ?? fieldValue(draft, "brand_name").trim();
  const site = chosen?.domains[0];
  if (fieldValue(draft, "website").trim() === "" && site !== undefined) fields.set("website", `https://${site}`);
  if (fieldValue(draft, "name").trim() === "" && name !== "")
    fields.set("name", `${name}: ${type === "search" ? "visibility" : "opinions"}`.slice(0, 200));
  if (name === "")
    return [
      { field: "brand_name", message: "Name your brand." },
      ...checkShapesExcept(wizard, ["brand", "competitor_names", "name"]),
    ];
  const own = checkShapesExcept(wizard, ["brand", "competitor_names"]);
  if (own.length > 0) return own;
  const rivals = [...fields.getAll("competitors"), ...splitList(fieldValue(draft, "competitor_names"))];
  if (type === "brand" && rivals.length === 0)
    return checkShapes(wizard).filter(({ field }) => field === "competitor_names");
  const faults = await resolveBrands(draft, wizard);
  if (faults.length > 0) return faults;
  const wrong = checkShapes(wizard);
  return wrong.length > 0 || type !== "brand" ? wrong : proposePrompts(wizard);
}

/** Shape errors, except in fields still to be completed. */
function checkShapesExcept(wizard: Wizard, undone: readonly string[]): Fault[] {
  return checkShapes(wizard).filter(({ field }) => !undone.includes(field));
}

function checkKeywords({ draft, personas }: Wizard, field: "keywords" | "columns"): Fault[] {
  const { faults } = readDraftKeywords(draft, personas);
  const MOST = 10;
  const more = faults.length - MOST;
  if (faults.length === 0) return [];
  const message = `${faults.slice(0, MOST).join(" ")}${more > 0 ? ` And ${more} more.` : ""}`;
  return [{ field, message }];
}

/** Keeps edited prompts. Returns the quote's errors in this step. */
async function proposePrompts(wizard: Wizard): Promise<Fault[]> {
  const { type, step, draft } = wizard;
  try {
    const answer = await callPriceEndpoint(wizard, buildSetup(type, draft, wizard));
    const { prompts } = answer.setup as { prompts: BrandPrompt[] };
    if (draft.prompts.edited === null) draft.prompts.proposed = prompts;
    return [];
  } catch (error) {
    const faults = toRejectionFaults(wizard, error);
    // Continues without proposals, since prompts can still be entered by hand.
    if (draft.prompts.edited === null) draft.prompts.proposed = [];
    return faults.filter(({ field }) => isFieldOfStep(type, step, field));
  }
}

async function checkPrompts(wizard: Wizard): Promise<Fault[]> {
  const { draft } = wizard;
  const { fields } = draft;
  const before = draft.prompts.edited ?? draft.prompts.proposed;
  const remaining = before.flatMap((prompt, at) => {
    const text = (fields.get(`prompt_${at}`) ?? prompt.text).trim();
    return text === "" ? [] : [{ ...prompt, text }];
  });
  const typed = splitList(fieldValue(draft, "own_prompts"), /\n/).map((text) =>
    BrandPrompt.parse({ kind: "unaided", text: text.slice(0, 2000) }),
  );
  const now = [...remaining, ...typed];
  for (const field of new Set(fields.keys())) if (/^(prompt_\d+|own_prompts)$/.test(field)) fields.delete(field);
  if (JSON.stringify(now) !== JSON.stringify(before)) draft.prompts.edited = now;
  if (now.length === 0) return [{ field: "own_prompts", message: "Write at least one prompt." }];
  if (draft.prompts.edited === null) return [];
  const shape = checkShapes(wizard);
  if (shape.length > 0) return shape;
  return (await proposePrompts(wizard)).map((fault) =>
    fault.field === "prompt" ? { ...fault, field: "own_prompts" } : fault,
  );
}

/** Regenerates unedited prompts, because they depend on countries, personas and language. */
async function checkWhere(wizard: Wizard): Promise<Fault[]> {
  const { type, draft } = wizard;
  const wrong = checkShapes(wizard);
  if (wrong.length > 0 || type !== "brand") return wrong;
  const faults = await proposePrompts(wizard);
  if (faults.length > 0 || (draft.prompts.edited ?? draft.prompts.proposed).length > 0) return faults;
  const message =
    "There are no prompt templates in this language. Choose another language, or write prompts in the previous step.";
  return [{ field: "language", message }];
}

/** Shows errors in the first step that has an affected field. */
export async function requestPrice(wizard: Wizard): Promise<StepResult> {
  const { type, draft } = wizard;
  const setup = buildSetup(type, draft, wizard);
  for (const step of STEPS[type]) {
    const faults = findShapeFaults(type, step, setup);
    if (faults.length > 0) return { step, faults };
  }
  try {
    draft.quote = await callPriceEndpoint(wizard, setup);
    draft.made = null;
    return { next: "price" };
  } catch (error) {
    const faults = toRejectionFaults(wizard, error);
    const at = new Set(faults.map(({ field }) => findStep(type, field)));
    const step = STEPS[type].find((one) => at.has(one));
    if (!step) throw error;
    return { step, faults: faults.filter(({ field }) => findStep(type, field) === step) };
  }
}

async function callPriceEndpoint({ type, ids, call }: Wizard, setup: Record<string, unknown>) {
  return (await call(PRICE_ENDPOINTS[type], { ...ids, ...setup })) as ShownQuote & { setup: object };
}

function toRejectionFaults({ type }: Wizard, error: unknown): Fault[] {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") throw error;
  return toFaults(type, error.fields ?? []);
}
