import type { Fault } from "../../http/pages/post-form.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { priceBrandAnalysis } from "../../../tools/analyses/kinds/price-brand-analysis.ts";
import { priceGeoAudit } from "../../../tools/analyses/kinds/price-geo-audit.ts";
import { priceSearchAnalysis } from "../../../tools/analyses/kinds/price-search-analysis.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import { BrandPrompt } from "../../../core/prompts/brand-prompt.ts";
import { hostOf } from "../../../core/identity/domains.ts";
import type { ShownQuote } from "./drafts.ts";
import { takeBrands } from "./brands-of-draft.ts";
import { refusedFields, shapeFaults } from "./faults.ts";
import { addressOf, hasColumns, keywordsOfDraft, listOf, setupOfDraft, valueOf } from "./setup-of-draft.ts";
import { isOfStep, stepOf, STEPS, type NewType, type StepName } from "./steps.ts";
import type { Wizard } from "./wizard.ts";

export const PRICES: Readonly<Record<NewType, AnyEndpoint>> = {
  search: priceSearchAnalysis,
  brand: priceBrandAnalysis,
  audit: priceGeoAudit,
};

/** Next step, or the step with faults. */
export type Taken = { next: StepName } | { step: StepName; faults: Fault[] };

/** Validates a submitted step, whose fields are already in the draft, and performs its actions. */
export async function takeStep(wizard: Wizard): Promise<Taken> {
  const { type, step } = wizard;
  const faults = await faultsOf(wizard);
  if (faults.length > 0) return { step, faults };
  if (step === "when") return takePrice(wizard);
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

async function faultsOf(wizard: Wizard): Promise<Fault[]> {
  const { type, step } = wizard;
  switch (step) {
    case "what":
      return type === "audit" ? auditFaults(wizard) : brandFaults(wizard);
    case "keywords":
      return hasColumns(wizard.draft) ? [] : keywordFaults(wizard, "keywords");
    case "columns":
      return keywordFaults(wizard, "columns");
    case "prompts":
      return promptFaults(wizard);
    case "where":
      return whereFaults(wizard);
    default:
      return shapes(wizard);
  }
}

function shapes(wizard: Wizard): Fault[] {
  const { type, step, draft } = wizard;
  return shapeFaults(type, step, setupOfDraft(type, draft, wizard));
}

function auditFaults(wizard: Wizard): Fault[] {
  const { draft } = wizard;
  if (valueOf(draft, "name").trim() === "")
    draft.fields.set("name", `Audit of ${hostOf(addressOf(valueOf(draft, "website")))}`);
  return shapes(wizard);
}

/** Generates a missing analysis name and resolves brand names. */
async function brandFaults(wizard: Wizard): Promise<Fault[]> {
  const { type, draft, brands } = wizard;
  const { fields } = draft;
  const chosen = brands.own.find(({ id }) => id === fields.get("brand"));
  const name = chosen?.name ?? valueOf(draft, "brand_name").trim();
  const site = chosen?.domains[0];
  if (valueOf(draft, "website").trim() === "" && site !== undefined) fields.set("website", `https://${site}`);
  if (valueOf(draft, "name").trim() === "" && name !== "")
    fields.set("name", `${name}: ${type === "search" ? "visibility" : "opinions"}`.slice(0, 200));
  if (name === "")
    return [
      { field: "brand_name", message: "Name your brand." },
      ...shapesBesides(wizard, ["brand", "competitor_names", "name"]),
    ];
  const own = shapesBesides(wizard, ["brand", "competitor_names"]);
  if (own.length > 0) return own;
  const rivals = [...fields.getAll("competitors"), ...listOf(valueOf(draft, "competitor_names"))];
  if (type === "brand" && rivals.length === 0)
    return shapes(wizard).filter(({ field }) => field === "competitor_names");
  const faults = await takeBrands(draft, wizard);
  if (faults.length > 0) return faults;
  const wrong = shapes(wizard);
  return wrong.length > 0 || type !== "brand" ? wrong : propose(wizard);
}

/** Shape errors, except in fields still to be completed. */
function shapesBesides(wizard: Wizard, undone: readonly string[]): Fault[] {
  return shapes(wizard).filter(({ field }) => !undone.includes(field));
}

function keywordFaults({ draft, personas }: Wizard, field: "keywords" | "columns"): Fault[] {
  const { faults } = keywordsOfDraft(draft, personas);
  const MOST = 10;
  const more = faults.length - MOST;
  if (faults.length === 0) return [];
  const message = `${faults.slice(0, MOST).join(" ")}${more > 0 ? ` And ${more} more.` : ""}`;
  return [{ field, message }];
}

/**
 * Generates prompts from templates unless the person edited them. Returns the quote's errors in
 * this step.
 */
async function propose(wizard: Wizard): Promise<Fault[]> {
  const { type, step, draft } = wizard;
  try {
    const answer = await askPrice(wizard, setupOfDraft(type, draft, wizard));
    const { prompts } = answer.setup as { prompts: BrandPrompt[] };
    if (draft.prompts.edited === null) draft.prompts.proposed = prompts;
    return [];
  } catch (error) {
    const faults = refusals(wizard, error);
    // Prompts can still be entered by hand.
    if (draft.prompts.edited === null) draft.prompts.proposed = [];
    return faults.filter(({ field }) => isOfStep(type, step, field));
  }
}

/** Removes emptied prompts and appends the person's own ones. */
async function promptFaults(wizard: Wizard): Promise<Fault[]> {
  const { draft } = wizard;
  const { fields } = draft;
  const before = draft.prompts.edited ?? draft.prompts.proposed;
  const kept = before.flatMap((prompt, at) => {
    const text = (fields.get(`prompt_${at}`) ?? prompt.text).trim();
    return text === "" ? [] : [{ ...prompt, text }];
  });
  const own = listOf(valueOf(draft, "own_prompts"), /\n/).map((text) =>
    BrandPrompt.parse({ kind: "unaided", text: text.slice(0, 2000) }),
  );
  const now = [...kept, ...own];
  for (const field of new Set(fields.keys())) if (/^(prompt_\d+|own_prompts)$/.test(field)) fields.delete(field);
  if (JSON.stringify(now) !== JSON.stringify(before)) draft.prompts.edited = now;
  if (now.length === 0) return [{ field: "own_prompts", message: "Write at least one prompt." }];
  if (draft.prompts.edited === null) return [];
  const shape = shapes(wizard);
  if (shape.length > 0) return shape;
  return (await propose(wizard)).map((fault) =>
    fault.field === "prompt" ? { ...fault, field: "own_prompts" } : fault,
  );
}

/** Regenerates unedited prompts, because they depend on countries, personas and language. */
async function whereFaults(wizard: Wizard): Promise<Fault[]> {
  const { type, draft } = wizard;
  const wrong = shapes(wizard);
  if (wrong.length > 0 || type !== "brand") return wrong;
  const faults = await propose(wizard);
  if (faults.length > 0 || (draft.prompts.edited ?? draft.prompts.proposed).length > 0) return faults;
  const message = "Prompts are not made in this language. Choose another, or write prompts of your own a step before.";
  return [{ field: "language", message }];
}

/** Requests the quote. Errors are shown in the first step that has an affected field. */
export async function takePrice(wizard: Wizard): Promise<Taken> {
  const { type, draft } = wizard;
  const setup = setupOfDraft(type, draft, wizard);
  for (const step of STEPS[type]) {
    const faults = shapeFaults(type, step, setup);
    if (faults.length > 0) return { step, faults };
  }
  try {
    draft.quote = await askPrice(wizard, setup);
    draft.made = null;
    return { next: "price" };
  } catch (error) {
    const faults = refusals(wizard, error);
    const at = new Set(faults.map(({ field }) => stepOf(type, field)));
    const step = STEPS[type].find((one) => at.has(one));
    if (!step) throw error;
    return { step, faults: faults.filter(({ field }) => stepOf(type, field) === step) };
  }
}

async function askPrice(
  { type, place, ask }: Wizard,
  setup: Record<string, unknown>,
): Promise<ShownQuote & { setup: object }> {
  return (await ask(PRICES[type], { ...place, ...setup })) as ShownQuote & { setup: object };
}

function refusals({ type }: Wizard, error: unknown): Fault[] {
  if (!(error instanceof AppError) || error.code !== "VALIDATION_FAILED") throw error;
  return refusedFields(type, error.fields ?? []);
}
