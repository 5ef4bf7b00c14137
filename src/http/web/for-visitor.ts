import type { Request, Response } from "express";
import { readFrame, type Framed } from "./frame.ts";
import { fetchHeldForm, holdForm, pageAddress } from "./held-forms.ts";
import { showSentForm } from "./page.ts";
import { visitorOf, type Web } from "./visit.ts";

type Show = (visitor: Framed, request: Request, response: Response) => Promise<void>;

/**
 * A page that needs a signed-in visitor, or a form of the page at `page`. Others are redirected to sign in, and return
 * afterwards: to the page, with what they typed.
 */
export function forVisitor(web: Web, show: Show, page: (request: Request) => string = ({ path }) => path) {
  return async (request: Request, response: Response): Promise<void> => {
    const visitor = await visitorOf(request, web);
    if (visitor && request.method === "GET") {
      const sent = await fetchHeldForm(request, visitor, web);
      if (sent) showSentForm(response, sent === "gone" ? { why: "gone" } : { why: "signed in", form: sent });
    }
    if (visitor) {
      const frame = await readFrame(visitor, request, response, web);
      return show({ ...visitor, frame }, request, response);
    }
    const next =
      request.method === "GET"
        ? request.originalUrl
        : await comingBack(request, response, { page: page(request) }, web);
    response.redirect(303, `/sign-in?next=${encodeURIComponent(next)}`);
  };
}

/** The path to come back to after a sign-in, with the form if it is known whose it is. */
async function comingBack(request: Request, response: Response, { page }: { page: string }, web: Web): Promise<string> {
  const last = web.marks.find(request.headers.cookie);
  if (!last) return pageAddress(request, page);
  return holdForm(request, response, { page, userId: last.userId }, web);
}
