import { isReadEndpoint, type AnyEndpoint } from "../../tools/endpoint.ts";
import { endpoints } from "../../tools/index.ts";
import { addressOf, call, minimalInput, parametersOf, withQueryIds } from "../whole/call.ts";
import { exampleOf, expectOk, listResourceIds, type World } from "../whole/scene.ts";
import type { ResourceIds } from "../whole/seeds.ts";
import type { Answer, Person } from "../support/world.ts";
import { findAccessRule } from "../access/access-table.ts";
import type { AccessClass } from "./classes.ts";

/** An endpoint with its target and a valid body. */
export interface Subject {
  endpoint: AnyEndpoint;
  class: AccessClass;
  ids: ResourceIds;
  body: unknown;
  /** True if the request needs a recent sign-in, or for a key its own token. */
  recent: boolean | "but of itself";
}

/** Statuses of an admitted request with an unknown field. */
export const ADMITTED: ReadonlySet<number> = new Set([400, 415]);
export const EXTRA_FIELD = { matrix: true };

/** A nonexistent id, for things the scene lacks: callers with access get 404. */
const NOTHING = "00000000-0000-7000-8000-000000000000";

/** Unlistable singletons of an organization: created first, so that they can be read. */
const SINGLES: ReadonlySet<string> = new Set(["putSsoConfiguration"]);

/** All endpoints with a class, on things of one workspace; `fixed` are ids that its owner names. */
export async function openSubjects(owner: Person, home: ResourceIds, fixed: ResourceIds): Promise<Subject[]> {
  for (const endpoint of endpoints.filter(({ name }) => SINGLES.has(name))) {
    const example = await exampleOf(endpoint, { person: owner, home, ids: home });
    expectOk(await call(owner, endpoint, home, example), endpoint.name);
  }
  const chains = await listResourceIds(owner, home);
  const named = { favourite_id: home["workspace_id"] ?? "", ...fixed };
  const subjects: Subject[] = [];
  for (const endpoint of endpoints) {
    const line = findAccessRule(endpoint.name);
    if (!line) continue;
    const { accessClass: decided, recentSignIn } = line;
    const chain: ResourceIds = { ...home, ...chains.get(endpoint.path)?.[0], ...named };
    // Named in the query, an organization and a workspace ask for everybody's keys there.
    const ids = endpoint.name === "listApiKeys" ? {} : withQueryIds(chain, home, chains);
    const own = Object.fromEntries(parametersOf(endpoint).map((key) => [key, ids[key] ?? NOTHING]));
    const at = { person: owner, home, ids: own };
    const body = isReadEndpoint(endpoint) || decided === "open" ? undefined : await exampleOf(endpoint, at);
    const subject = { endpoint, class: decided, ids, body };
    if (typeof recentSignIn !== "object") subjects.push({ ...subject, recent: recentSignIn ?? false });
    else {
      subjects.push({ ...subject, recent: false });
      subjects.push({ ...subject, body: { ...(body as object), ...recentSignIn }, recent: true });
    }
  }
  return subjects;
}

/** An invalid body. */
const invalidBody = ({ body }: AnyEndpoint) => (body === "lines" ? "" : EXTRA_FIELD);

/** Sends a valid request, or with `spoils` one that is rejected as invalid after admission. */
export async function send(
  w: World,
  { endpoint, ids, body }: Pick<Subject, "endpoint" | "ids" | "body">,
  header: string | undefined,
  spoils: boolean,
): Promise<Answer> {
  const { method } = endpoint;
  const address = addressOf(endpoint, minimalInput(endpoint, ids));
  const takesBody = method !== "GET" && method !== "DELETE";
  const path = spoils && !takesBody ? `${address}?matrix=1` : address;
  return w.request(method, path, {
    ...(takesBody ? { body: spoils ? invalidBody(endpoint) : (body ?? {}) } : {}),
    headers: header === undefined ? {} : { authorization: header },
  });
}
