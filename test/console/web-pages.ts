import type { Browser, Visit } from "../../examples/browser.ts";
import { insertActionScene } from "../support/action-scene.ts";
import { createOAuthClient, givePassword } from "../support/assistant.ts";
import { evaluationScene, PAGE } from "../assets/evaluation-scene.ts";
import { insertAudit } from "../audits/audit-scene.ts";
import { GROUP, provisionedClient } from "../scim/client.ts";
import { configureSso, OIDC } from "../sso/scene.ts";
import { WITH_WORKER, WITHOUT_LIMITS, type world } from "../support/world.ts";

const LONG = "A very long name that does not end where one expects it";

/** A service with content on each page, for an owner with a password. */
export async function allPagesScene(options: Parameters<typeof world>[0] = {}) {
  const env = { PARTNER_BASE_URL: "http://127.0.0.1:9", ...WITH_WORKER, ...WITHOUT_LIMITS, ...options.env };
  const s = await evaluationScene({ ...options, env });
  const { w, owner, organization, workspace } = s;
  await givePassword(w, owner.id);
  const asset = await s.addText(`${LONG}.md`, PAGE);
  const { body: evaluation } = await s.create([asset]);
  await s.until(evaluation.id as string);
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const made = await insertActionScene(w, ids);
  await w.store.write((db) => insertAudit(db, { ...ids, newId: w.deps.newId }));
  await w.signIn("guest@acme.test", { organizationId: organization.id, role: "guest" });
  await w.signIn("viewer@acme.test", {
    organizationId: organization.id,
    role: "viewer",
    workspaceId: workspace.id,
    workspaceRole: "editor",
  });
  await owner.post(`${organization.path}/invitations`, { email: "new@acme.test", role: "viewer" });
  await owner.post("/v1/api-keys", { name: LONG, kind: "user" });
  const directory = await provisionedClient(w, s, ["acme.test"]);
  await directory.create("/Groups", { schemas: [GROUP], displayName: LONG, members: [] });
  await owner.post(`${organization.path}/domains`, { domain: "a-long-name-of-a-domain.acme.example" });
  await configureSso(w, s, OIDC);
  await owner.request("PUT", `/v1/me/favourites/${workspace.id}`);
  const probe = await createOAuthClient(w, { client_name: LONG });
  await probe.connect();
  await owner.patch(organization.path, { approval_above_credits: 1 });
  const quote = await s.price(s.setupOf([asset]));
  return {
    ...s,
    made,
    probe,
    brief: `/actions/${organization.id}/${workspace.id}/${made.resultId}/${made.taskId}`,
    /** The page that only an assistant links to, and one that a crawl takes for another. */
    unlinked: [`/approve/${quote.body.quote_id}`, `/organizations/${organization.id}/sso?protocol=saml`],
  };
}

/** Kind of a page without ids: `/actions/:id?workspace`. */
function kindOf({ pathname, searchParams }: URL): string {
  const keys = [...searchParams.keys()].filter((key) => key !== "done").toSorted();
  return pathname.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id") + (keys.length > 0 ? `?${keys.join("&")}` : "");
}

/** One page of each kind reachable by links from these paths. */
export async function crawl(browser: Browser, baseUrl: string, paths: readonly string[]): Promise<Visit[]> {
  const found = new Map<string, Visit>();
  const open = paths.map((path) => new URL(path, baseUrl));
  for (let url = open.shift(); url; url = open.shift()) {
    if (url.origin !== baseUrl || NO_PAGES.test(url.pathname) || found.has(kindOf(url))) continue;
    const page = await browser.get(url);
    found.set(kindOf(url), page);
    if (page.status !== 200) continue;
    for (const [, href = ""] of page.text.matchAll(/<a [^>]*href="([^"]*)"/g)) {
      open.push(
        new URL(
          href.replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code))),
          page.url,
        ),
      );
    }
  }
  return [...found.values()];
}

/** Linked documents, machine addresses, and identity provider redirects. */
const NO_PAGES = /^\/(docs|openapi\.json|sso\/)|\.(csv|md|jsonl)$/;
