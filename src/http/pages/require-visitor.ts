import type { Request, Response } from "express";
import { parseQuery } from "../body.ts";
import { askAs, type Ask } from "./call-endpoint.ts";
import { readFrame, type FramedVisitor } from "./frame.ts";
import { fetchHeldForm, holdForm, buildPageAddress } from "./held-forms.ts";
import { setReturnedForm } from "./page.ts";
import { findVisitor, type WebContext } from "./visit.ts";

export interface Visit {
  web: WebContext;
  visitor: FramedVisitor;
  request: Request;
  response: Response;
  query: URLSearchParams;
  call: Ask;
  form: URLSearchParams;
}

/** Redirects to sign-in, which returns to `page` with the form's input. */
export function requireVisitor(
  show: (visit: Visit) => Promise<void> | void,
  page: (request: Request) => string = ({ path }) => path,
) {
  return async (request: Request, response: Response, web: WebContext): Promise<void> => {
    const visitor = await findVisitor(request, web);
    if (visitor && request.method === "GET") {
      const sent = await fetchHeldForm(request, visitor, web);
      if (sent) setReturnedForm(response, sent === "gone" ? { reason: "gone" } : { reason: "signed in", form: sent });
    }
    if (visitor) {
      const frame = await readFrame(visitor, request, response, web);
      const call = askAs({ visitor, response }, web);
      const query = parseQuery(request.originalUrl);
      const form = (response.locals["form"] as URLSearchParams | undefined) ?? new URLSearchParams();
      return show({ web, visitor: { ...visitor, frame }, request, response, query, call, form });
    }
    const next =
      request.method === "GET"
        ? request.originalUrl
        : await resolveReturnPath(request, response, { page: page(request) }, web);
    response.redirect(303, `/sign-in?next=${encodeURIComponent(next)}`);
  };
}

/** Return path after sign-in. Includes the form only if the browser's last user is known. */
async function resolveReturnPath(request: Request, response: Response, { page }: { page: string }, web: WebContext) {
  const last = web.marks.findMark(request.headers.cookie);
  if (!last) return buildPageAddress(request, page);
  return holdForm(request, response, { page, userId: last.userId }, web);
}
