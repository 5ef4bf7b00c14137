import { Router } from "express";
import { AppError } from "../../../../../core/errors.ts";
import { createBrandAnalysis } from "../../../../../tools/analyses/create-brand-analysis.ts";
import { createGeoAudit } from "../../../../../tools/analyses/create-geo-audit.ts";
import { createSearchAnalysis } from "../../../../../tools/analyses/create-search-analysis.ts";
import type { AnyEndpoint } from "../../../../../tools/endpoint.ts";
import { forVisitor } from "../../for-visitor.ts";
import { TOO_LARGE } from "../../form-with-file.ts";
import { sendPage, sentForm } from "../../page.ts";
import { consolePage } from "../../pages/console.ts";
import { analysisAddress } from "../../pages/places.ts";
import { choicePage } from "../../pages/new-analysis/choice.ts";
import { stepPage } from "../../pages/new-analysis/step.ts";
import { callOf, type Web } from "../../visit.ts";
import { confirmQuote } from "../confirm-quote.ts";
import type { Visit } from "../page-with-forms.ts";
import { placeOf } from "../place-of.ts";
import { columnsOf } from "./setup-of-draft.ts";
import { STEPS, type Fault, type NewType } from "./steps.ts";
import { stepBefore, takePrice, takeStep, type Taken } from "./take-step.ts";
import { keepWizard, openWizard, requireEditor, stepAddress, takeFields, type Wizard } from "./wizard.ts";

const CREATIONS: Readonly<Record<NewType, AnyEndpoint>> = {
  search: createSearchAnalysis,
  brand: createBrandAnalysis,
  audit: createGeoAudit,
};

/**
 * The form in steps that makes an analysis: what it is about, what is asked, where and how often, its price, and a yes. What was typed is
 * kept as a draft, so that each step is an address: back, reload and a second press lose nothing and make nothing twice.
 */
export function newAnalysisRouter(web: Web): Router {
  const choice = "/new/:organization_id/:workspace_id";
  const path = `${choice}/:type/:step`;
  const visited = (answer: (visit: Visit) => Promise<void>) =>
    forVisitor(web, (visitor, request, response) => answer({ visitor, request, response }));
  return Router()
    .get(choice, visited(showChoice))
    .get(
      path,
      visited((visit) => showStep(visit, web)),
    )
    .post(
      path,
      visited((visit) => sendStep(visit, web)),
    );
}

async function showChoice(visit: Visit): Promise<void> {
  const { visitor, response } = visit;
  requireEditor(visit);
  const content = choicePage(placeOf(visit));
  sendPage(response, { title: "New analysis", body: consolePage("analyses", visitor, content) });
}

async function showStep(visit: Visit, web: Web): Promise<void> {
  requireEditor(visit);
  const wizard = await openWizard(visit, web);
  const { type, step, draft } = wizard;
  const isLost = step !== "what" && draft.sent.length === 0 && !sentForm(visit.response);
  const isEmpty = step === "price" && draft.quote === null;
  if (isLost) {
    const first = stepAddress(wizard, "what");
    // What is gone is said on the first page; else the draft's id stands for nothing.
    return visit.response.redirect(303, wizard.isGone ? first : first.replace(/\?.*/, ""));
  }
  if (isEmpty) return visit.response.redirect(303, stepAddress(wizard, STEPS[type].at(-2) ?? "what"));
  send(visit, wizard, web, {});
}

async function sendStep(visit: Visit, web: Web): Promise<void> {
  requireEditor(visit);
  const wizard = await openWizard(visit, web);
  const go = (visit.response.locals["form"] as URLSearchParams).get("go");
  if (wizard.step !== "price") return takeSent(visit, wizard, web, go);
  if (go !== "back") return decide(visit, wizard, web);
  visit.response.redirect(303, stepAddress(wizard, stepBefore(wizard)));
}

const TOO_LARGE_WORDS = "The file is larger than 2 MB. Choose a smaller one.";

/** Fields of columns, and of prompts. */
const [COLUMNS, PROMPTS] = [/^(separator|head|column_\d+)$/, /^(prompt_\d+|own_prompts)$/];

/** What was sent of a step that asks something, by the button that was pressed. */
async function takeSent(visit: Visit, wizard: Wizard, web: Web, go: string | null): Promise<void> {
  const { step, draft } = wizard;
  const before = { keywords: draft.fields.get("keywords"), separator: columnsOf(draft).separator };
  const typed = visit.response.locals["form"] as URLSearchParams;
  takeFields(wizard, typed);
  draft.quote = null;
  if (step === "keywords" && draft.fields.get("keywords") !== before.keywords) {
    // Another text has other columns.
    forgetFields(draft, COLUMNS);
    draft.sent = draft.sent.filter((one) => one !== "columns");
  }
  const isSplitAnew = step === "columns" && columnsOf(draft).separator !== before.separator;
  if (isSplitAnew) forgetFields(draft, /^column_\d+$/);
  const tooLarge = typed.getAll(TOO_LARGE).map((field) => ({ field, message: TOO_LARGE_WORDS }));
  if (go !== "back" && tooLarge.length > 0)
    return conclude(visit, wizard, web, async () => ({ step, faults: tooLarge }));
  if (go === "anew") return conclude(visit, wizard, web, () => proposeAnew(wizard));
  if (go !== "back" && !isSplitAnew) return conclude(visit, wizard, web, () => takeStep(wizard));
  await keepWizard(wizard, visit, web);
  visit.response.redirect(303, stepAddress(wizard, isSplitAnew ? step : stepBefore(wizard)));
}

function forgetFields({ fields }: Wizard["draft"], which: RegExp): void {
  for (const field of new Set(fields.keys())) if (which.test(field)) fields.delete(field);
}

/** The prompts of the templates again, in the place of what a person made of them. */
async function proposeAnew(wizard: Wizard): Promise<Taken> {
  wizard.draft.prompts.edited = null;
  forgetFields(wizard.draft, PROMPTS);
  const taken = await takeStep({ ...wizard, step: "what" });
  return "next" in taken ? { next: "prompts" } : taken;
}

/** Keeps the draft, and shows the next step or what is wrong. */
async function conclude(visit: Visit, wizard: Wizard, web: Web, take: () => Promise<Taken>): Promise<void> {
  try {
    const taken = await take();
    await keepWizard(wizard, visit, web);
    if ("next" in taken) return visit.response.redirect(303, stepAddress(wizard, taken.next));
    send(visit, { ...wizard, step: taken.step }, web, { faults: taken.faults, status: 400 });
  } catch (error) {
    await keepWizard(wizard, visit, web);
    if (!(error instanceof AppError) || error.status >= 500 || error.code === "NOT_FOUND") throw error;
    send(visit, wizard, web, { problem: error.message, status: error.status });
  }
}

/** A yes to the price that the page showed, or a new price where that one is over. */
async function decide(visit: Visit, wizard: Wizard, web: Web): Promise<void> {
  const { type, draft, place } = wizard;
  const typed = visit.response.locals["form"] as URLSearchParams;
  if (typed.get("go") === "again") return conclude(visit, wizard, web, () => takePrice(wizard));
  const confirmed = { ...place, quote_id: typed.get("quote_id") ?? "" };
  try {
    const made = await confirmQuote(CREATIONS[type], confirmed, callOf(visit.visitor, visit.response), web.deps);
    draft.made = (made as { id: string }).id;
    await keepWizard(wizard, visit, web);
    visit.response.redirect(303, `${analysisAddress(place, draft.made)}?done=created`);
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    if (!draft.quote) return visit.response.redirect(303, stepAddress(wizard, "when"));
    send(visit, wizard, web, { problem: error.message, status: error.status });
  }
}

function send(
  { visitor, response }: Visit,
  wizard: Wizard,
  { deps }: Web,
  { faults = [], problem, status }: { faults?: readonly Fault[]; problem?: string; status?: number },
): void {
  const { title, content } = stepPage({ ...wizard, now: deps.now(), faults, problem });
  const body = consolePage("analyses", visitor, content, { wide: true });
  sendPage(response, { title, body, ...(status === undefined ? {} : { status }) });
}
