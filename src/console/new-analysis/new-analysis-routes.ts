import type { Fault } from "../../http/pages/post-form.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { createBrandAnalysis } from "../../../tools/analyses/kinds/create-brand-analysis.ts";
import { createGeoAudit } from "../../../tools/analyses/kinds/create-geo-audit.ts";
import { createSearchAnalysis } from "../../../tools/analyses/kinds/create-search-analysis.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import { TOO_LARGE } from "../../http/pages/form-with-file.ts";
import { sentForm } from "../../http/pages/page.ts";
import { analysisAddress } from "../shared/places.ts";
import { choicePage } from "./choice-page.ts";
import { stepPage } from "./step-page.ts";
import { callOf } from "../../http/pages/visit.ts";
import { confirmQuote } from "../shared/confirm-quote.ts";
import { placeOf } from "../shared/place-of.ts";
import { columnsOf } from "./setup-of-draft.ts";
import { STEPS, type NewType } from "./steps.ts";
import { stepBefore, takePrice, takeStep, type Taken } from "./take-step.ts";
import { keepWizard, openWizard, requireEditor, stepAddress, takeFields, type Wizard } from "./wizard.ts";
import { showPage } from "../shared/show-page.ts";
import { pageAt, post, type Route } from "../../http/pages/routes.ts";
import { forVisitor, type Visit } from "../../http/pages/for-visitor.ts";

const CREATIONS: Readonly<Record<NewType, AnyEndpoint>> = {
  search: createSearchAnalysis,
  brand: createBrandAnalysis,
  audit: createGeoAudit,
};

const CHOICE = "/new/:organization_id/:workspace_id";
const PATH = `${CHOICE}/:type/:step`;

/**
 * Multi-step form that creates an analysis. A stored draft gives each step a URL, so that Back and
 * reload lose nothing and repeated submissions create nothing twice.
 */
export const newAnalysisRoutes: readonly Route[] = [
  pageAt(CHOICE, showChoice),
  pageAt(PATH, showStep),
  post(PATH, forVisitor(sendStep)),
];

async function showChoice(visit: Visit): Promise<void> {
  requireEditor(visit);
  showPage(visit, { title: "New analysis", section: "analyses", content: choicePage(placeOf(visit)) });
}

async function showStep(visit: Visit): Promise<void> {
  requireEditor(visit);
  const wizard = await openWizard(visit);
  const { type, step, draft } = wizard;
  const isLost = step !== "what" && draft.sent.length === 0 && !sentForm(visit.response);
  const isEmpty = step === "price" && draft.quote === null;
  if (isLost) {
    const first = stepAddress(wizard, "what");
    // The first page reports a lost draft; otherwise the draft's id is meaningless.
    return visit.response.redirect(303, wizard.isGone ? first : first.replace(/\?.*/, ""));
  }
  if (isEmpty) return visit.response.redirect(303, stepAddress(wizard, STEPS[type].at(-2) ?? "what"));
  send(visit, wizard, {});
}

async function sendStep(visit: Visit): Promise<void> {
  requireEditor(visit);
  const wizard = await openWizard(visit);
  const go = visit.form.get("go");
  if (wizard.step !== "price") return takeSent(visit, wizard, go);
  if (go !== "back") return decide(visit, wizard);
  visit.response.redirect(303, stepAddress(wizard, stepBefore(wizard)));
}

const TOO_LARGE_WORDS = "The file is larger than 2 MB. Choose a smaller one.";

const [COLUMNS, PROMPTS] = [/^(separator|head|column_\d+)$/, /^(prompt_\d+|own_prompts)$/];

async function takeSent(visit: Visit, wizard: Wizard, go: string | null): Promise<void> {
  const { step, draft } = wizard;
  const before = { keywords: draft.fields.get("keywords"), separator: columnsOf(draft).separator };
  const { form: typed } = visit;
  takeFields(wizard, typed);
  draft.quote = null;
  if (step === "keywords" && draft.fields.get("keywords") !== before.keywords) {
    // New keywords can have other columns.
    forgetFields(draft, COLUMNS);
    draft.sent = draft.sent.filter((one) => one !== "columns");
  }
  const isSplitAnew = step === "columns" && columnsOf(draft).separator !== before.separator;
  if (isSplitAnew) forgetFields(draft, /^column_\d+$/);
  const tooLarge = typed.getAll(TOO_LARGE).map((field) => ({ field, message: TOO_LARGE_WORDS }));
  if (go !== "back" && tooLarge.length > 0) return conclude(visit, wizard, async () => ({ step, faults: tooLarge }));
  if (go === "anew") return conclude(visit, wizard, () => proposeAnew(wizard));
  if (go !== "back" && !isSplitAnew) return conclude(visit, wizard, () => takeStep(wizard));
  await keepWizard(wizard, visit);
  visit.response.redirect(303, stepAddress(wizard, isSplitAnew ? step : stepBefore(wizard)));
}

function forgetFields({ fields }: Wizard["draft"], which: RegExp): void {
  for (const field of new Set(fields.keys())) if (which.test(field)) fields.delete(field);
}

async function proposeAnew(wizard: Wizard): Promise<Taken> {
  wizard.draft.prompts.edited = null;
  forgetFields(wizard.draft, PROMPTS);
  const taken = await takeStep({ ...wizard, step: "what" });
  return "next" in taken ? { next: "prompts" } : taken;
}

async function conclude(visit: Visit, wizard: Wizard, take: () => Promise<Taken>): Promise<void> {
  try {
    const taken = await take();
    await keepWizard(wizard, visit);
    if ("next" in taken) return visit.response.redirect(303, stepAddress(wizard, taken.next));
    send(visit, { ...wizard, step: taken.step }, { faults: taken.faults, status: 400 });
  } catch (error) {
    await keepWizard(wizard, visit);
    if (!(error instanceof AppError) || error.status >= 500 || error.code === "NOT_FOUND") throw error;
    send(visit, wizard, { problem: error.message, status: error.status });
  }
}

/** Confirms the displayed quote, or requests a new one if it expired. */
async function decide(visit: Visit, wizard: Wizard): Promise<void> {
  const { type, draft, place } = wizard;
  const { form: typed } = visit;
  if (typed.get("go") === "again") return conclude(visit, wizard, () => takePrice(wizard));
  const confirmed = { ...place, quote_id: typed.get("quote_id") ?? "" };
  try {
    const made = await confirmQuote(CREATIONS[type], confirmed, callOf(visit.visitor, visit.response), visit.web.deps);
    draft.made = (made as { id: string }).id;
    await keepWizard(wizard, visit);
    visit.response.redirect(303, `${analysisAddress(place, draft.made)}?done=created`);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    if (!draft.quote) return visit.response.redirect(303, stepAddress(wizard, "when"));
    send(visit, wizard, { problem: error.message, status: error.status });
  }
}

function send(
  visit: Visit,
  wizard: Wizard,
  { faults = [], problem, status }: { faults?: readonly Fault[]; problem?: string; status?: number },
): void {
  const { title, content } = stepPage({ ...wizard, now: visit.web.deps.now(), faults, problem });
  showPage(visit, { title, section: "analyses", wide: true, status, content });
}
