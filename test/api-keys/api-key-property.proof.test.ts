import * as fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatApiKeyHint, newApiKey } from "../../auth/keys/api-key.ts";
import { insertApiKey } from "../../db/identity/api-keys.ts";
import { insertUser } from "../../db/identity/users.ts";
import { isReadEndpoint } from "../../tools/endpoint.ts";
import type { AccessClass } from "../matrix/classes.ts";
import { ADMITTED, openSubjects, send, type Subject } from "../matrix/subjects.ts";
import { chooseExtent } from "../support/proof.ts";
import { openScene, SCENE_TIMEOUT_MS, type Scene } from "../whole/scene.ts";
import type { Answer } from "../support/world.ts";
import { localProof } from "../sign-in/address-proof.ts";

// A key never exceeds its own reach and role, nor its creator's current rights. Checked for keys of
// each kind and creators of all roles at each endpoint; expected rights are computed here.

const RUNS = chooseExtent(200, 5);
/** Workspaces: two of one organization, one of another. */
const PLACES = ["first", "second", "rival"] as const;
type Place = (typeof PLACES)[number];
type Organization = "home" | "rival";
const organizationOf = (place: Place): Organization => (place === "rival" ? "rival" : "home");

const ROLES = ["guest", "viewer", "editor", "owner"] as const;
type Role = (typeof ROLES)[number];

/** Current rights of the creator, and the key's reach. */
interface Given {
  roles: Record<Organization, Role | null>;
  suspended: boolean;
  workspaceRoles: Record<Place, "viewer" | "editor" | null>;
  key: { kind: "user" | "organization" | "workspace"; place: Place; role: Exclude<Role, "guest"> };
  target: Place;
}

const anyRole = fc.constantFrom(null, ...ROLES);
const anyWorkspaceRole = fc.constantFrom(null, "viewer" as const, "editor" as const);
const given: fc.Arbitrary<Given> = fc.record({
  roles: fc.record({ home: anyRole, rival: anyRole }),
  suspended: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  workspaceRoles: fc.record({ first: anyWorkspaceRole, second: anyWorkspaceRole, rival: anyWorkspaceRole }),
  key: fc.record({
    kind: fc.constantFrom("user" as const, "organization" as const, "workspace" as const),
    place: fc.constantFrom(...PLACES),
    role: fc.constantFrom("viewer" as const, "editor" as const, "owner" as const),
  }),
  target: fc.constantFrom("first" as const, "rival" as const),
});

/** True where the key names the organization, or a workspace of it, and its creator is in it. */
function canSee({ roles, suspended, key }: Given, organization: Organization): boolean {
  const named = key.kind === "user" || organizationOf(key.place) === organization;
  return named && !suspended && roles[organization] !== null;
}

/** Rights of the key in an organization: 0 none, 1 view, 2 edit, 3 administer. */
function inOrganization(g: Given, organization: Organization): number {
  if (!canSee(g, organization) || g.key.kind === "workspace") return 0;
  const creator = ROLES.indexOf(g.roles[organization] ?? "guest");
  return g.key.kind === "user" ? creator : Math.min(creator, ROLES.indexOf(g.key.role));
}

/** Rights of the key in a workspace: 0 none, 1 view, 2 edit. */
function inWorkspace(g: Given, place: Place): number {
  const organization = organizationOf(place);
  if (!canSee(g, organization) || (g.key.kind === "workspace" && g.key.place !== place)) return 0;
  const byOrganization = { guest: 0, viewer: 1, editor: 2, owner: 2 }[g.roles[organization] ?? "guest"];
  const own = g.workspaceRoles[place];
  const creator = Math.max(byOrganization, own === null ? 0 : own === "viewer" ? 1 : 2);
  return g.key.kind === "user" ? creator : Math.min(creator, g.key.role === "viewer" ? 1 : 2);
}

/** True if the key may call endpoints of a class on the target. */
function isAllowed(g: Given, wanted: AccessClass): boolean {
  const [organization, workspace] = [inOrganization(g, organizationOf(g.target)), inWorkspace(g, g.target)];
  const allowed: Record<AccessClass, boolean> = {
    open: true,
    person: true,
    mine: g.key.kind === "user",
    // It is somebody else's.
    key: false,
    mark: g.key.kind === "user" && workspace >= 1,
    lists: canSee(g, organizationOf(g.target)),
    read: organization >= 1,
    edit: organization >= 2,
    own: organization >= 3,
    expel: organization >= 3,
    wread: workspace >= 1,
    wedit: workspace >= 2,
    wadmin: workspace >= 2,
    wexpel: workspace >= 2,
  };
  return allowed[wanted];
}

let scene: Scene;
let subjects: Record<"first" | "rival", Subject[]>;
let workspaceIds: Record<Place, string>;
let organizationIds: Record<Organization, string>;

beforeAll(async () => {
  scene = await openScene();
  organizationIds = {
    home: scene.home["organization_id"] ?? "",
    rival: scene.rivalHome["organization_id"] ?? "",
  };
  const second = await scene.owner.post(`/v1/organizations/${organizationIds.home}/workspaces`, { name: "Second" });
  workspaceIds = {
    first: scene.home["workspace_id"] ?? "",
    second: second.body.id,
    rival: scene.rivalHome["workspace_id"] ?? "",
  };
  const bystander = async (organizationId: string, workspaceId: string) =>
    scene.w.signIn("bystander@both.test", {
      organizationId,
      role: "guest",
      workspaceId,
      workspaceRole: "viewer",
    });
  const { id } = await bystander(organizationIds.home, workspaceIds.first);
  await bystander(organizationIds.rival, workspaceIds.rival);
  subjects = {
    first: await openSubjects(scene.owner, scene.home, { user_id: id }),
    rival: await openSubjects(scene.rival, scene.rivalHome, { user_id: id }),
  };
}, SCENE_TIMEOUT_MS);
afterAll(() => scene[Symbol.asyncDispose]());

// Attack: reach another workspace or organization, or do more than the key's role, by a key that
// was given for less.
test(
  "a key reaches no further than its reach, its role and its creator, at every endpoint",
  async () => {
    let [calls, admitted] = [0, 0];
    await fc.assert(
      fc.asyncProperty(given, async (g) => {
        const header = await keyFor(g);
        // A workspace's own id shows it in an answer, a row of it too.
        const hidden = PLACES.filter((place) => inWorkspace(g, place) === 0).map((place) => workspaceIds[place]);
        const asked = subjects[g.target === "rival" ? "rival" : "first"];
        const answered = await Promise.all(
          asked.map(async (subject) => {
            const allowed = isAllowed(g, subject.class);
            calls++;
            if (allowed) admitted++;
            const answer = await send(scene.w, subject, header, allowed && !isReadEndpoint(subject.endpoint));
            return faultOf(subject, answer, { allowed, hidden });
          }),
        );
        expect(answered.filter((fault) => fault !== undefined)).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
    console.info(`keys: ${calls} calls by ${RUNS} keys, ${admitted} of them admitted`);
    expect(admitted).toBeGreaterThan(RUNS);
  },
  SCENE_TIMEOUT_MS + RUNS * 2000,
);

function faultOf(
  { endpoint, class: wanted }: Subject,
  { status, body }: Answer,
  { allowed, hidden }: { allowed: boolean; hidden: readonly string[] },
): string | undefined {
  const what = `${endpoint.name} (${wanted}): ${status} ${JSON.stringify(body).slice(0, 120)}`;
  if (!allowed) return status === 403 || status === 404 ? undefined : `refusal expected, ${what}`;
  const asExpected = isReadEndpoint(endpoint) ? status === 200 : ADMITTED.has(status);
  if (!asExpected) return `admission expected, ${what}`;
  const text = JSON.stringify(body);
  return hidden.some((id) => text.includes(id)) ? `another workspace is told of, ${what}` : undefined;
}

/**
 * Creates a person with these rights and a key created while they had more; returns its token's
 * header.
 */
async function keyFor({ roles, suspended, workspaceRoles, key }: Given): Promise<string> {
  const { deps, store } = scene.w;
  const [at, userId, secret] = [deps.now(), deps.newId(), newApiKey(key.kind)];
  const tokens = await store.write(async (db) => {
    const { q, t } = db;
    await insertUser(db, { id: userId, email: `${userId}@both.test`, name: "Creator", createdAt: at });
    for (const [name, organizationId] of Object.entries(organizationIds)) {
      const role = roles[name as Organization];
      if (role === null) continue;
      const suspendedAt = suspended ? at : null;
      await q.insert(t.organizationMembers).values({ organizationId, userId, role, suspendedAt, createdAt: at });
    }
    for (const place of PLACES) {
      const [organization, role] = [organizationOf(place), workspaceRoles[place]];
      if (role === null || roles[organization] === null) continue;
      const workspaceId = workspaceIds[place];
      await q.insert(t.workspaceMembers).values({
        workspaceId,
        organizationId: organizationIds[organization],
        userId,
        role,
        createdAt: at,
      });
    }
    await insertApiKey(db, {
      id: deps.newId(),
      kind: key.kind,
      name: "property",
      userId,
      proofId: await localProof(db, userId, { now: at, newId: deps.newId }),
      organizationId: key.kind === "user" ? null : organizationIds[organizationOf(key.place)],
      workspaceId: key.kind === "workspace" ? workspaceIds[key.place] : null,
      role: key.kind === "user" ? null : key.role,
      keyHash: deps.restTokens.hashApiKey(secret),
      hint: formatApiKeyHint(secret),
      createdAt: at,
    });
    return deps.restTokens.exchangeApiKey(db, secret, at, deps.newId);
  });
  return `Bearer ${tokens.access_token}`;
}
