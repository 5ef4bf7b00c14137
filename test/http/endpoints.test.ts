import { expect, test } from "vitest";
import { endpoints } from "../../tools/index.ts";
import type { AnyEndpoint } from "../../tools/endpoint.ts";
import { world } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

// Guarantees of all endpoints, checked over the whole table.

const NOBODY = "00000000-0000-7000-8000-000000000000";

/** Address of an endpoint with nonexistent or given ids. */
function addressOf(endpoint: AnyEndpoint, ids: Record<string, string> = {}): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? NOBODY);
  const isProject = typeof endpoint.access === "object" && "project" in endpoint.access;
  const query = isProject && !endpoint.path.includes(":project_id") ? `&project_id=${ids["project_id"] ?? NOBODY}` : "";
  return endpoint.path.startsWith("/api/") ? `${path}?client_id=${ids["organization_id"] ?? NOBODY}${query}` : path;
}

const closed = endpoints.filter((endpoint) => endpoint.access !== "public");

test("without sign-in, each endpoint that is not public returns 401, whatever else is wrong", async () => {
  await using w = await world();
  const answers = await Promise.all(closed.map((endpoint) => w.request(endpoint.method, addressOf(endpoint))));
  expect(answers.map(({ status, body }) => [status, body.code])).toEqual(closed.map(() => [401, "UNAUTHENTICATED"]));
});

test("another organization's ids are 404 at every endpoint, even with an invalid body", async () => {
  await using w = await world();
  const { organization, workspace } = await w.acme();
  const mallory = await w.signIn("mallory@rival.test");
  const tenant = closed.filter((endpoint) => typeof endpoint.access === "object");
  const ids = { organization_id: organization.id, workspace_id: workspace.id };
  const answers = await Promise.all(
    tenant.map((endpoint) => mallory.request(endpoint.method, addressOf(endpoint, ids))),
  );
  expect(answers.map(({ status }, at) => `${tenant[at]?.name} ${status}`)).toEqual(
    tenant.map(({ name }) => `${name} 404`),
  );
});

test("each call writes an audit row with caller, action and outcome", async () => {
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  await owner.post(`${workspace.path}/brands`, { name: "Acme" });
  await owner.get(`${workspace.path}/brands`);
  await owner.post(`${workspace.path}/brands`, { name: "acme" });
  await w.deps.audit.flush();
  const { q, t } = openCommitted(w.store);
  const rows = (await q.select().from(t.auditLog)).filter((row) => row.userId === owner.id);
  const told = rows.map(({ endpoint, outcome, organizationId, workspaceId, door }) => ({
    endpoint,
    outcome,
    organizationId,
    workspaceId,
    door,
  }));
  const where = { organizationId: organization.id, workspaceId: workspace.id, door: "rest" };
  expect(told.toSorted((a, b) => (a.endpoint + a.outcome < b.endpoint + b.outcome ? -1 : 1))).toEqual([
    { endpoint: "createBrand", outcome: "CONFLICT", ...where },
    { endpoint: "createBrand", outcome: "ok", ...where },
    { endpoint: "listBrands", outcome: "ok", ...where },
  ]);
});
