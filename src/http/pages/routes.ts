import type { Request, Response } from "express";
import { requireVisitor, type Visit } from "./require-visitor.ts";
import type { Section } from "./section.ts";
import type { WebContext } from "./visit.ts";

export interface Route {
  method: "get" | "post";
  path: string;
  handler: (request: Request, response: Response, web: WebContext) => Promise<void> | void;
  /** True if `answer` reads the body itself. */
  readsBody?: true;
  section?: Section;
}

export function get(path: string, handler: Route["handler"]): Route {
  return { method: "get", path, handler };
}

export function post(path: string, handler: Route["handler"]): Route {
  return { method: "post", path, handler };
}

export function pageRoute(path: string, show: (visit: Visit) => Promise<void> | void): Route {
  return get(path, requireVisitor(show));
}

/** Lists the first of these routes in the navigation bar, in the order of the route table. */
export function inBar(section: Section, [page, ...rest]: readonly Route[]): readonly Route[] {
  return page ? [{ ...page, section }, ...rest] : [];
}

/** Form of the page at `path`, posted to `path/name`. */
export function formRoute(path: string, name: string, act: (visit: Visit) => Promise<void> | void): Route {
  return post(
    `${path}/${name}`,
    requireVisitor(act, (request) => request.path.slice(0, -name.length - 1)),
  );
}
