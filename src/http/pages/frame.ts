import type { Request, Response } from "express";
import type { z } from "zod";
import { findCookie } from "../../../auth/people/cookie.ts";
import type { Visitor } from "../../../auth/people/web-sessions.ts";
import { getMe } from "../../../tools/auth/get-me.ts";
import { listFavourites } from "../../../tools/favourites/list-favourites.ts";
import { parseQuery } from "../body.ts";
import { askAs } from "./call-endpoint.ts";
import { findDefaultWorkspace } from "./default-workspace.ts";
import { cookieOptions, type WebContext } from "./visit.ts";

type CurrentUser = z.output<typeof getMe.output>;

export interface Frame {
  organizations: CurrentUser["organizations"];
  /** Workspaces of the visitor, favourites first. */
  workspaces: CurrentUser["workspaces"];
  /** Ids of favourite workspaces and analyses. */
  favourites: ReadonlySet<string>;
  /** Workspace of the page, or the default one; undefined without any workspace. */
  workspace: CurrentUser["workspaces"][number] | undefined;
  sections: WebContext["sections"];
}

export interface FramedVisitor extends Visitor {
  frame: Frame;
}

const YEAR_MS = 365 * 86_400_000;

/** Without a workspace in the URL, uses this browser's last one, a favourite or the default. */
export async function readFrame(
  visitor: Visitor,
  request: Request,
  response: Response,
  web: WebContext,
): Promise<Frame> {
  const call = askAs({ visitor, response }, web);
  const [{ organizations, workspaces }, marked] = await Promise.all([
    call(getMe, {}),
    call(listFavourites, { limit: 100 }),
  ]);
  const favourites = new Set(marked.data.map(({ id }) => id));
  const find = (id: unknown) => workspaces.find((one) => one.id === id);
  const named = find(request.params["workspace_id"] ?? parseQuery(request.originalUrl).get("workspace"));
  const last = find(findCookie(request.headers.cookie, getWorkspaceCookieName(web)));
  if (named && named !== last) {
    response.cookie(getWorkspaceCookieName(web), named.id, { ...cookieOptions(web), maxAge: YEAR_MS });
  }
  const favourite = () => marked.data.map((one) => find(one.workspace_id)).find((one) => one !== undefined);
  const workspace = named ?? last ?? favourite() ?? (await findDefaultWorkspace(web.deps.store, workspaces));
  const first = workspaces.filter(({ id }) => favourites.has(id));
  const others = workspaces.filter(({ id }) => !favourites.has(id));
  return { organizations, workspaces: [...first, ...others], favourites, workspace, sections: web.sections };
}

/** The cookie stores the workspace last opened in this browser. It grants no access. */
function getWorkspaceCookieName({ config }: WebContext): string {
  return config.baseUrl.startsWith("https:") ? "__Host-bva_workspace" : "bva_workspace";
}
