import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { Router, type Request, type Response } from "express";
import type { z } from "zod";
import type { Visitor } from "../../../../auth/people/web-sessions.ts";
import type { AnyEndpoint } from "../../../../tools/endpoint.ts";
import { AppError } from "../../../../core/errors.ts";
import { invoke } from "../../../call/invoke.ts";
import { html, type Html } from "../html.ts";
import { callOf, queryOf, forVisitor, type Web } from "../visit.ts";

export type Answer<E extends AnyEndpoint> = z.output<E["output"]>;

/** Somebody who is signed in asks for a page. */
export interface Visit {
  visitor: Visitor;
  request: Request;
  response: Response;
}

/** What a page says above its content: what was done, or what went wrong with which form. */
export interface Notice {
  done?: string | undefined;
  problem?: string;
  status?: number;
  typed?: URLSearchParams;
  /** What the endpoint of a form answered, where that is shown this once. */
  answer?: unknown;
}

/** What a form of a page does. */
export interface FormAction {
  endpoint: AnyEndpoint;
  done: string;
  /** Input besides those ids of the address that the endpoint takes. */
  fields(form: URLSearchParams): object;
  /**
   * True where the answer has a secret to show: then the page follows at once, since it cannot be asked for again. The
   * form has `sentOnce()` in it, so that sent again it makes nothing new, and goes back to the page.
   */
  showsAnswer?: true;
}

/**
 * A page at `path` and its forms, each posted to its name below it. What succeeds goes back to the page, so that neither
 * a reload nor the way back sends it again; a refusal shows the page with what to do.
 */
export function pageWithForms(
  web: Web,
  path: string,
  show: (visit: Visit, notice: Notice) => Promise<void>,
  forms: Record<string, FormAction>,
): Router {
  const router = Router();
  const page = (answer: (visit: Visit) => Promise<void>) =>
    forVisitor(web, (visitor, request, response) => answer({ visitor, request, response }));
  router.get(
    path,
    page((visit) => show(visit, { done: forms[queryOf(visit.request.originalUrl).get("done") ?? ""]?.done })),
  );
  for (const [name, form] of Object.entries(forms)) {
    router.post(
      `${path}/${name}`,
      page(async (visit) => {
        const notice = await attempt(visit, web, form);
        if (notice.problem !== undefined || (form.showsAnswer && hasSecret(form, notice.answer)))
          return show(visit, notice);
        visit.response.redirect(303, `${visit.request.path.slice(0, -name.length - 1)}?done=${name}`);
      }),
    );
  }
  return router;
}

const FORM_ID = "form_id";
const UUID = /^[0-9a-f-]{36}$/;

/** A hidden field that makes a form do what it does once, however often it is sent. */
export function sentOnce(): Html {
  return html`<input type="hidden" name="${FORM_ID}" value="${randomUUID()}" />`;
}

/** A repeated answer holds its secret no more. */
function hasSecret({ endpoint }: FormAction, answer: unknown): boolean {
  return !endpoint.withoutSecrets || !isDeepStrictEqual(endpoint.withoutSecrets(answer), answer);
}

/** Calls the endpoint of a form; what it answered, or what to do instead where it refuses. */
async function attempt({ visitor, request, response }: Visit, { deps }: Web, form: FormAction): Promise<Notice> {
  const typed = response.locals["form"] as URLSearchParams;
  const shape: object = form.endpoint.input.shape;
  const named = Object.entries(request.params).filter(([key]) => key in shape);
  const input = { ...Object.fromEntries(named), ...form.fields(typed) };
  const formId = typed.get(FORM_ID) ?? "";
  const call = { ...callOf(visitor, response), idempotencyKey: UUID.test(formId) ? formId : undefined };
  try {
    return { done: form.done, answer: await invoke(form.endpoint, input, call, deps) };
  } catch (error) {
    // What does not exist for this visitor has no page either.
    if (!(error instanceof AppError) || error.code === "NOT_FOUND" || error.status === 500) throw error;
    const wrong = (error.fields ?? []).map((field) => `${field.path.replaceAll("_", " ")} ${field.message}`);
    return { problem: [error.message, ...wrong].join(" "), status: error.status, typed };
  }
}
