import type { Request, Response } from "express";
import { forVisitor, type Visit } from "./for-visitor.ts";
import type { Web } from "./visit.ts";

export interface Route {
  method: "get" | "post";
  path: string;
  answer: (request: Request, response: Response, web: Web) => Promise<void> | void;
  /** True if `answer` reads the body itself. */
  readsBody?: true;
}

export function get(path: string, answer: Route["answer"]): Route {
  return { method: "get", path, answer };
}

export function post(path: string, answer: Route["answer"]): Route {
  return { method: "post", path, answer };
}

export function pageAt(path: string, show: (visit: Visit) => Promise<void> | void): Route {
  return get(path, forVisitor(show));
}

/** Form of the page at `path`, posted to `path/name`. */
export function formAt(path: string, name: string, act: (visit: Visit) => Promise<void> | void): Route {
  return post(
    `${path}/${name}`,
    forVisitor(act, (request) => request.path.slice(0, -name.length - 1)),
  );
}
