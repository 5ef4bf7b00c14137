import { Ref } from "./arbitrary.ts";
import { expectOk, listResourceIds, seed, type Scene } from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";

// The ids that fuzzed requests name things with.

/**
 * Objects that a person can see: chains of ids per path, and every id by the parameter that takes
 * it.
 */
interface Known {
  chains: Map<string, ResourceIds[]>;
  ids: Map<string, Set<string>>;
}

/** An id without an object. */
export const UNKNOWN_ID = "01890000-0000-7000-8000-00000000dead";
const BROKEN = ["abc", "...", "%00", "00000000-0000-0000-0000-00000000000g", `${UNKNOWN_ID}0`, "null", "💥", "a/b"];
const MAX_NOTED_IDS = 60;

export async function openPools(scene: Scene) {
  const { rivalHome, home } = scene;
  const theirs = known(await listResourceIds(scene.rival, rivalHome));
  const foreign = new Set([...theirs.ids.values()].flatMap((ids) => [...ids]));
  let own = known(await listResourceIds(scene.owner, home));
  const atFirst = [...own.chains].filter(([, chains]) => chains.length > 0).map(([path]) => path);
  /** Paths whose objects requests can create; platform connections, for example, need a browser. */
  let creatable = atFirst;
  const noted = new Map<string, string[]>();

  /** The id, secret or cursor for a reference. */
  function one({ of, whose, pick }: Ref): string {
    if (whose === "broken") return BROKEN[pick % BROKEN.length] ?? "";
    if (whose === "nothing") return UNKNOWN_ID;
    if (of === "api_key") return scene.owner.apiKey;
    // Requests create organizations; most ids of other objects belong to the first one.
    if (of === "organization_id" && whose === "own" && pick % 4 > 0) return home["organization_id"] ?? "";
    const ids = [
      ...((whose === "own" ? own : theirs).ids.get(of) ?? []),
      ...(whose === "own" ? (noted.get(of) ?? []) : []),
    ];
    return ids[pick % ids.length] ?? UNKNOWN_ID;
  }

  /** The value with its references resolved. */
  function fill(value: unknown): unknown {
    if (value instanceof Ref) return one(value);
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]));
  }

  return {
    one,
    fill,
    has: (path: string) => atFirst.includes(path),
    chainAt(path: string, pick: number): ResourceIds {
      const chains = own.chains.get(path) ?? [];
      return chains[pick % chains.length] ?? home;
    },
    /**
     * Records values found only in responses: quotes, tokens, cursors, and ids missing from lists.
     */
    note(body: Record<string, unknown>) {
      for (const [key, value] of Object.entries(body)) {
        const name = key === "next_cursor" ? "cursor" : key;
        if (typeof value !== "string" || !/(_id|^cursor|^refresh_token)$/.test(name)) continue;
        noted.set(name, [value, ...(noted.get(name) ?? [])].slice(0, MAX_NOTED_IDS));
      }
    },
    /** Reads the ids again, and replaces objects that requests deleted. */
    async refresh() {
      const { owner } = scene;
      const open = { monthly_credit_cap: null, approval_above_credits: null };
      expectOk(await owner.patch(`/v1/organizations/${home["organization_id"]}`, open), "lifting the limits");
      own = known(await listResourceIds(owner, home));
      if (creatable.every((path) => own.chains.get(path)?.length)) return;
      await seed(owner, home);
      own = known(await listResourceIds(owner, home));
      creatable = creatable.filter((path) => own.chains.get(path)?.length);
    },
    /** Ids of the rival in a response whose request did not name them. */
    leaks(answer: string, request: string): string[] {
      const shown = new Set(answer.match(UUIDS));
      return [...shown].filter((id) => foreign.has(id) && !request.includes(id)).map((id) => `shows the rival's ${id}`);
    },
  };
}

const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function known(chains: Map<string, ResourceIds[]>): Known {
  const ids = new Map<string, Set<string>>();
  for (const chain of [...chains.values()].flat()) {
    for (const [parameter, id] of Object.entries(chain)) ids.set(parameter, (ids.get(parameter) ?? new Set()).add(id));
  }
  return { chains, ids };
}
