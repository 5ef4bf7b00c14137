import { GROUP, PATCH, USER } from "../../test/scim/client.ts";
import { awkwardText, manyNames } from "./largest-value.ts";
import { ADDRESS_BYTES, BODY_BYTES, manyPairs, repeated, times, type Bodies, type Row } from "./rows.ts";
import type { HostileScene } from "./scene.ts";
import type { RawRequest } from "./send.ts";

// Rows of the SCIM resources.

const person = { schemas: [USER], userName: "hostile@home.test" };
const group = { schemas: [GROUP], displayName: "Hostile" };
const both = { ...person, ...group };
const MANY = BODY_BYTES - 1000;

const email = (at: number) => ({ value: `a${at}@acme.test`, type: `t${at}` });
const member = (at: number) => ({ value: `00000000-0000-7000-8000-${String(at).padStart(12, "0")}` });
const patch = (Operations: unknown) => ({ schemas: [PATCH], Operations });

const BODIES: Bodies = {
  "most unknown attributes": () => ({ ...both, ...manyNames(MANY) }),
  "longest names": () => ({ ...both, userName: awkwardText(250_000, 0), displayName: awkwardText(250_000, 2) }),
  "most e-mails": () => ({ ...person, emails: times(20_000, email) }),
  "most schemas": () => ({ ...both, schemas: times(18_000, (at) => `${USER}${at}`) }),
  "most members": () => ({ ...group, members: times(15_000, member) }),
  "most operations": () => patch(times(10_000, (at) => ({ op: "add", path: "displayName", value: String(at) }))),
  "operations that each add a member": () =>
    patch(times(6000, (at) => ({ op: "add", path: "members", value: [member(at)] }))),
  "operations that each filter many e-mails": () =>
    patch([
      { op: "add", path: "emails", value: times(5000, email) },
      ...times(4000, () => ({ op: "replace", path: 'emails[type eq "t4999"].value', value: "b@acme.test" })),
    ]),
  "longest path of an operation": () =>
    patch([{ op: "replace", path: `emails[${disjunction(500_000)}].value`, value: 1 }]),
  "an operation with most names": () => patch([{ op: "add", value: manyNames(MANY) }]),
  "longest filter of a search": () => ({ schemas: [], filter: disjunction(500_000) }),
  "nested filter of a search": () => ({ schemas: [], filter: `${"(".repeat(200_000)}id pr${")".repeat(200_000)}` }),
  "most attributes of a search": () => ({ schemas: [], attributes: times(50_000, (at) => `a${at}`) }),
};
const PLACES = ["POST /Users", "POST /Groups", "POST /Users/.search", "POST /Groups/.search", "POST /.search"];
const CHANGES = ["PUT /Users", "PUT /Groups", "PATCH /Users", "PATCH /Groups"];
const QUERIES: Readonly<Record<string, string>> = {
  "longest filter": `filter=${encodeURIComponent(disjunction(8000))}`,
  "nested filter": `filter=${encodeURIComponent(`${"(".repeat(1500)}id pr${")".repeat(1500)}`)}`,
  "most unknown parameters": manyPairs(ADDRESS_BYTES),
  "an attribute repeated": repeated(ADDRESS_BYTES, "attributes", "emails.value"),
};

export function scimRows({ scim }: HostileScene): Row[] {
  const send = (method: string, path: string, body?: unknown): RawRequest => ({
    method,
    path: `/scim/v2${path}`,
    headers: { authorization: `Bearer ${scim.token}`, "content-type": "application/scim+json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const ids = new Map<string, Promise<string>>();
  const create = async (kind: string) => {
    const made = await scim.create(kind, kind === "/Users" ? { ...person, userName: "changed@home.test" } : group);
    return String(made.body.id);
  };
  const idOf = (kind: string) => {
    const made = ids.get(kind) ?? create(kind);
    ids.set(kind, made);
    return made;
  };
  const rowsAt = (place: string, pathOf: (path: string) => Promise<string> | string) =>
    Object.entries(BODIES).map(([what, body]): Row => {
      const [method = "", path = ""] = place.split(" ");
      return {
        name: `SCIM ${place}: ${what}`,
        kind: "SCIM",
        wire: async () => send(method, await pathOf(path), body()),
      };
    });
  return [
    ...PLACES.flatMap((place) => rowsAt(place, (path) => path)),
    ...CHANGES.flatMap((place) => rowsAt(place, async (path) => `${path}/${await idOf(path)}`)),
    ...["/Users", "/Groups"].flatMap((kind) =>
      Object.entries(QUERIES).map(([what, query]): Row => ({
        name: `SCIM GET ${kind}: ${what}`,
        kind: "SCIM",
        wire: () => send("GET", `${kind}?${query}`),
        usual: () => send("GET", `${kind}?count=1000`),
      })),
    ),
  ];
}

/** A filter of this many characters. */
function disjunction(length: number): string {
  const one = 'userName co "%_%_" or ';
  return `${one.repeat(Math.floor(length / one.length))}id pr`;
}
