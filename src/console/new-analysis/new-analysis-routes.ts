import type { Fault } from "../../http/pages/post-form.ts";
import { AppError } from "../../../core/shared/errors.ts";
import { createBrandAnalysis } from "../../../tools/analyses/kinds/create-brand-analysis.ts";
import { createGeoAudit } from "../../../tools/analyses/kinds/create-geo-audit.ts";
import { createSearchAnalysis } from "../../../tools/analyses/kinds/create-search-analysis.ts";
import type { AnyEndpoint } from "../../../tools/endpoint.ts";
import { TOO_LARGE_FIELD } from "../../http/pages/form-with-file.ts";
import { getSentForm } from "../../http/pages/page.ts";
import { analysisAddress } from "../shared/page-addresses.ts";
import { renderChoicePage } from "./choice-page.ts";
import { renderStepPage } from "./step-page.ts";
import { createVisitorCall } from "../../http/pages/visit.ts";
import { confirmQuote } from "../shared/confirm-quote.ts";
import { getWorkspaceIds } from "../shared/workspace-ids.ts";
import { readColumns } from "./draft-setup.ts";
import { STEPS, type NewType } from "./steps.ts";
import { stepBefore, requestPrice, processStep, type StepResult } from "./process-step.ts";
import { saveDraft, openWizard, requireEditor, stepAddress, storeFields, type Wizard } from "./wizard.ts";
import { showPage } from "../shared/show-page.ts";
import { pageRoute, post, type Route } from "../../http/pages/routes.ts";
import { requireVisitor, type Visit } from "../../http/pages/require-visitor.ts";

const CREATE_ENDPOINTS: Readonly<Record<NewType, AnyEndpoint>> = {
  search: createSearchAnalysis,
  brand: createBrandAnalysis,
  audit: createGeoAudit,
};

const CHOICE_PATH = "/new/:organization_id/:workspace_id";
const STEP_PATH = `${CHOICE_PATH}/:type/:step`;

/** A stored draft lets Back and reload lose nothing; resubmitting creates nothing twice. */
export const newAnalysisRoutes: readonly Route[] = [
  pageRoute(CHOICE_PATH, showChoice),
  pageRoute(STEP_PATH, showStep),
  post(STEP_PATH, requireVisitor(submitStep)),
];

async function showChoice(visit: Visit): Promise<void> {
  requireEditor(visit);
  showPage(visit, { title: "New analysis", section: "analyses", content: renderChoicePage(getWorkspaceIds(visit)) });
}

async function showStep(visit: Visit): Promise<void> {
  requireEditor(visit);
  const wizard = await openWizard(visit);
  const { type, step, draft } = wizard;
  const isLost = step !== "what" && draft.sent.length === 0 && !getSentForm(visit.response);
  const isEmpty = step === "price" && draft.quote === null;
  if (isLost) {
    const first = stepAddress(wizard, "what");
    // The first page reports a lost draft; otherwise the draft's id is meaningless.
    return visit.response.redirect(303, wizard.isDraftLost ? first : first.replace(/\?.*/, ""));
  }
  if (isEmpty) return visit.response.redirect(303, stepAddress(wizard, STEPS[type].at(-2) ?? "what"));
  sendStepPage(visit, wizard, {});
}

async function submitStep(visit: Visit): Promise<void> {
  requireEditor(visit);
  const wizard = await openWizard(visit);
  const go = visit.form.get("go");
  if (wizard.step !== "price") return handleFields(visit, wizard, go);
  if (go !== "back") return confirmPrice(visit, wizard);
  visit.response.redirect(303, stepAddress(wizard, stepBefore(wizard)));
}

const TOO_LARGE_MESSAGE = "The file is larger than 2 MB. Choose a smaller one.";

const [COLUMN_FIELDS, PROMPT_FIELDS] = [/^(separator|head|column_\d+)$/, /^(prompt_\d+|own_prompts)$/];

async function handleFields(visit: Visit, wizard: Wizard, go: string | null): Promise<void> {
  const { step, draft } = wizard;
  const before = { keywords: draft.fields.get("keywords"), separator: readColumns(draft).separator };
  const { form: typed } = visit;
  storeFields(wizard, typed);
  draft.quote = null;
  if (step === "keywords" && draft.fields.get("keywords") !== before.keywords) {
    // Forgets the columns, since new keywords can have others.
    deleteFields(draft, COLUMN_FIELDS);
    draft.sent = draft.sent.filter((one) => one !== "columns");
  }
  const isSeparatorChanged = step === "columns" && readColumns(draft).separator !== before.separator;
  if (isSeparatorChanged) deleteFields(draft, /^column_\d+$/);
  const tooLarge = typed.getAll(TOO_LARGE_FIELD).map((field) => ({ field, message: TOO_LARGE_MESSAGE }));
  if (go !== "back" && tooLarge.length > 0) return finishStep(visit, wizard, async () => ({ step, faults: tooLarge }));
  if (go === "anew") return finishStep(visit, wizard, () => resetPrompts(wizard));
  if (go !== "back" && !isSeparatorChanged) return finishStep(visit, wizard, () => processStep(wizard));
  await saveDraft(wizard, visit);
  visit.response.redirect(303, stepAddress(wizard, isSeparatorChanged ? step : stepBefore(wizard)));
}

function deleteFields({ fields }: Wizard["draft"], which: RegExp): void {
  for (const field of new Set(fields.keys())) if (which.test(field)) fields.delete(field);
}

async function resetPrompts(wizard: Wizard): Promise<StepResult> {
  wizard.draft.prompts.edited = null;
  deleteFields(wizard.draft, PROMPT_FIELDS);
  const taken = await processStep({ ...wizard, step: "what" });
  return "next" in taken ? { next: "prompts" } : taken;
}

async function finishStep(visit: Visit, wizard: Wizard, take: () => Promise<StepResult>): Promise<void> {
  try {
    const stepResult = await take();
    await saveDraft(wizard, visit);
    if ("next" in stepResult) return visit.response.redirect(303, stepAddress(wizard, stepResult.next));
    sendStepPage(visit, { ...wizard, step: stepResult.step }, { faults: stepResult.faults, status: 400 });
  } catch (error) {
    await saveDraft(wizard, visit);
    if (!(error instanceof AppError) || error.status >= 500 || error.code === "NOT_FOUND") throw error;
    sendStepPage(visit, wizard, { problem: error.message, status: error.status });
  }
}

async function confirmPrice(visit: Visit, wizard: Wizard): Promise<void> {
  const { type, draft, ids } = wizard;
  const { form: typed } = visit;
  if (typed.get("go") === "again") return finishStep(visit, wizard, () => requestPrice(wizard));
  const confirmed = { ...ids, quote_id: typed.get("quote_id") ?? "" };
  try {
    const createdAnalysis = await confirmQuote(
      CREATE_ENDPOINTS[type],
      confirmed,
      createVisitorCall(visit.visitor, visit.response),
      visit.web.deps,
    );
    draft.made = (createdAnalysis as { id: string }).id;
    await saveDraft(wizard, visit);
    visit.response.redirect(303, `${analysisAddress(ids, draft.made)}?done=created`);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    if (!draft.quote) return visit.response.redirect(303, stepAddress(wizard, "when"));
    sendStepPage(visit, wizard, { problem: error.message, status: error.status });
  }
}

function sendStepPage(
  visit: Visit,
  wizard: Wizard,
  { faults = [], problem, status }: { faults?: readonly Fault[]; problem?: string; status?: number },
): void {
  const { title, content } = renderStepPage({ ...wizard, now: visit.web.deps.now(), faults, problem });
  showPage(visit, { title, section: "analyses", isWide: true, status, content });
}
