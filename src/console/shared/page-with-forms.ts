import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isSignInRequired } from "../../../auth/recent-sign-in.ts";
import type { AnyEndpoint, Context } from "../../../tools/endpoint.ts";
import { AppError, type FieldError } from "../../../core/shared/errors.ts";
import { invoke } from "../../call/invoke.ts";
import type { Call } from "../../call/deps.ts";
import { rejectStaleForm, type StoredValues } from "../../http/pages/stale-form.ts";
import { FORM_ID_FIELD } from "../../http/pages/post-form.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { getSentForm, setReturnedForm } from "../../http/pages/page.ts";
import { updateQuery } from "./page-addresses.ts";
import { askToSignInAgain } from "../account/sign-in-again-routes.ts";
import { formRoute, pageRoute, type Route } from "../../http/pages/routes.ts";
import type { Visit } from "../../http/pages/require-visitor.ts";
import { type WebContext, createVisitorCall } from "../../http/pages/visit.ts";

export interface Notice {
  done?: string | undefined;
  problem?: string;
  status?: number;
  typed?: URLSearchParams;
  /** The endpoint's output, for forms that show it once. */
  answer?: unknown;
  /** Error if the form's subject no longer exists. */
  missing?: AppError;
}

export interface FormAction {
  endpoint: AnyEndpoint;
  done: string;
  /** The form's fields as endpoint input. Ids from the path are added. */
  fields(form: URLSearchParams, web: WebContext): object;
  /** Stored values, whose digests in the form prevent overwriting later changes by others. */
  stored?: (input: Record<string, unknown>, context: Context) => Promise<StoredValues | undefined>;
  /** Replaces the single endpoint call; the fields are already parsed as input. */
  run?: (sending: FormSubmission, web: WebContext) => Promise<unknown>;
  /** True if the page shows a secret of the output. The form must contain `formIdField()`. */
  showsAnswer?: true;
  /** Query of the page that shows the result; by default the page reports success. */
  nextQuery?: (answer: unknown) => string;
}

export interface FormSubmission {
  input: Record<string, unknown>;
  call: Call;
  typed: URLSearchParams;
}

/** Success redirects, so that neither reload nor Back resubmits. Each form posts to `path/name`. */
export function pageWithForms(
  path: string,
  show: (visit: Visit, notice: Notice) => Promise<void>,
  forms: Readonly<Record<string, FormAction>> = {},
): Route[] {
  const shown = pageRoute(path, async (visit) => {
    const typed = getSentForm(visit.response)?.fields;
    return show(visit, typed ? { typed } : { done: forms[visit.query.get("done") ?? ""]?.done });
  });
  return [
    shown,
    ...Object.entries(forms).map(([name, of]) => formRoute(path, name, (visit) => submit(visit, name, of, show))),
  ];
}

async function submit(
  visit: Visit,
  name: string,
  action: FormAction,
  show: (visit: Visit, notice: Notice) => Promise<void>,
): Promise<void> {
  const { request, response } = visit;
  const pagePath = request.path.slice(0, -name.length - 1);
  const notice = await runFormAction(visit, action);
  if (notice === "sign in again") return askToSignInAgain(visit, pagePath);
  if (notice.typed)
    setReturnedForm(response, { reason: "not done", form: { action: request.path, fields: notice.typed } });
  if (notice.problem !== undefined || (action.showsAnswer && hasSecret(action, notice.answer)))
    return show(visit, notice).catch((error: unknown) => {
      // Reports a page that the visitor may not see as one that does not exist.
      throw notice.missing ?? error;
    });
  const done = updateQuery(visit.query, { done: name });
  response.redirect(303, `${pagePath}${action.nextQuery?.(notice.answer) ?? done}`);
}

const UUID_PATTERN = /^[0-9a-f-]{36}$/;

/** A hidden field that makes a form take effect once, however often it is submitted. */
export function formIdField(): Html {
  return html`<input type="hidden" name="${FORM_ID_FIELD}" value="${randomUUID()}" />`;
}

export function parseFormId(form: URLSearchParams): string | undefined {
  const formId = form.get(FORM_ID_FIELD) ?? "";
  return UUID_PATTERN.test(formId) ? formId : undefined;
}

/** A replayed response no longer contains its secret. */
function hasSecret({ endpoint }: FormAction, answer: unknown): boolean {
  return !endpoint.withoutSecrets || !isDeepStrictEqual(endpoint.withoutSecrets(answer), answer);
}

/** If the form's page no longer exists, the error page shows the typed input. */
async function runFormAction(
  { visitor, request, response, web, form: typed }: Visit,
  form: FormAction,
): Promise<Notice | "sign in again"> {
  const shape: object = form.endpoint.input.shape;
  const named = Object.entries(request.params).filter(([key]) => key in shape);
  const input = { ...Object.fromEntries(named), ...form.fields(typed, web) };
  const { stored } = form;
  const call = {
    ...createVisitorCall(visitor, response),
    idempotencyKey: parseFormId(typed),
    ...(stored && { rejectIfStale: rejectStaleForm(typed, (context) => stored(input, context)) }),
  };
  try {
    const answer = form.run ? form.run({ input, call, typed }, web) : invoke(form.endpoint, input, call, web.deps);
    return { done: form.done, answer: await answer };
  } catch (error) {
    if (!(error instanceof AppError) || error.status === 500) throw error;
    if (isSignInRequired(error)) return "sign in again";
    const wrong = (error.fields ?? []).map(describeFieldError);
    const missing = error.code === "NOT_FOUND" ? { missing: error } : {};
    // Leaves the listed fields to the form; `unlisted` is the end of the message.
    const hasFieldErrors = error.code === "VALIDATION_FAILED" && wrong.length > 0;
    const problem = hasFieldErrors ? [...wrong, error.unlisted ?? ""] : [error.message, ...wrong];
    return { problem: problem.join(" ").trim(), status: error.status, typed, ...missing };
  }
}

/** `Name must not be empty.`, `Domains: entry 2 must be a domain such as example.com.` */
function describeFieldError({ path, message }: FieldError): string {
  const numbered = path.replaceAll(/\.(\d+)/g, (_all, at: string) => `: entry ${Number(at) + 1}`);
  const field = numbered.replaceAll(/[._]/g, " ");
  const sentence = `${field} ${message}`.trim();
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}${/[.!?]$/.test(sentence) ? "" : "."}`;
}
