import { expect } from "vitest";
import { insertScene, type Scene } from "../support/search-scene.ts";
import { world, type Person } from "../support/world.ts";

export interface TagBody {
  id: string;
  name: string;
  order: number;
  children: TagBody[];
}

export const UNKNOWN_ID = "00000000-0000-7000-8000-000000000000";
export const NOT_FOUND = { status: 404, body: { code: "NOT_FOUND" } };
export const CONFLICT = { status: 409, body: { code: "CONFLICT" } };

const SETUP = {
  website: "https://acme.example",
  sources: [],
  country: "US",
  language: "en",
  device: "desktop",
  runs_per_prompt: 1,
};

/** A workspace with two analyses, and the addresses of its and its organization's tags. */
export async function tagScene() {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  const ids = { organizationId: organization.id, workspaceId: workspace.id, userId: owner.id };
  const analyses = [await insertAnalysis(w, ids), await insertAnalysis(w, ids)];
  const [first = "", second = ""] = analyses;
  return {
    w,
    owner,
    organization,
    workspace,
    first,
    second,
    tags: `${workspace.path}/tags`,
    organizationTags: `${organization.path}/tags`,
    async make(body: object, path = `${workspace.path}/tags`): Promise<TagBody> {
      const made = await owner.post(path, body);
      expect(made.status).toBe(201);
      return made.body;
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

export async function insertAnalysis(
  w: Awaited<ReturnType<typeof world>>,
  ids: { organizationId: string; workspaceId: string; userId: string },
): Promise<string> {
  const projectId = w.deps.newId();
  const brand = { id: w.deps.newId(), name: `Brand ${projectId}` };
  const nothing: Scene = {
    projectId,
    ownBrandId: brand.id,
    brands: [brand],
    facets: [],
    keywords: [],
    collects: [],
  };
  await w.store.write(async (db) => {
    await insertScene(db, ids, nothing);
    await db.q.update(db.t.analyses).set({ setup: SETUP });
  });
  return projectId;
}

/** Tag tree as names, by REST; checks that each order equals its index. */
export async function readTree(person: Person, path: string): Promise<[string, string[]][]> {
  const { body } = await person.get(`${path}?limit=100`);
  const tops = body.data as TagBody[];
  expect(tops.map(({ order }) => order)).toEqual(tops.map((_, index) => index));
  for (const { children } of tops)
    expect(children.map(({ order }) => order)).toEqual(children.map((_, index) => index));
  return tops.map(({ name, children }) => [name, children.map((child) => child.name)]);
}
