import { dirname } from "node:path";
import { vi } from "vitest";
import { Database, type Connection } from "../../db/engine/sqlite/sqlite.ts";
import { endpoints } from "../../tools/index.ts";
import { WITHOUT_LIMITS, world } from "../support/world.ts";
import { readWithFilters } from "./read-with-filters.ts";
import { addressOf, minimalInput, withQueryIds, type Fields } from "./call.ts";
import type { Scene } from "./scene.ts";
import type { ResourceIds } from "./seeds.ts";

// SQL statements of every GET, recorded when they are compiled.

const reads = endpoints.filter(({ method, access }) => method === "GET" && access !== "public");

/**
 * Calls every GET twice, for up to three objects each, and then with its optional filters, on a
 * separate service. `refused` lists filters without an accepted value.
 */
export async function recordReads(scene: Scene, chains: Map<string, ResourceIds[]>) {
  await using w = await world({ dataDir: dirname(scene.w.store.file), env: WITHOUT_LIMITS });
  const spy = vi.spyOn(Database.prototype, "prepare");
  /** Statements that readers compiled since the last call. */
  const compiled = () => {
    const { calls, contexts } = spy.mock;
    const ofReads = calls.filter(([sql], at) => {
      const connection = contexts[at] as Connection;
      // The writer stores audit rows at any time; a starting service checks held files, and its
      // keys periodically.
      const isOfCall = !/from "(file_holds|signing_keys)"/.test(sql);
      return connection.readonly && connection.name === w.store.file && isOfCall;
    });
    spy.mockClear();
    return ofReads.map(([sql]) => sql);
  };
  try {
    const owner = await w.signIn(scene.owner.email);
    const again: string[] = [];
    const statements = new Set<string>();
    const refused: string[] = [];
    const known = [...chains.values()].flat();
    for (const endpoint of reads) {
      const found = endpoint.path.includes("/:") ? (chains.get(endpoint.path) ?? []) : [{}];
      let notTaken: string[] | undefined;
      for (const chain of found.slice(0, 3)) {
        const ids = withQueryIds(chain, scene.home, chains);
        const address = addressOf(endpoint, minimalInput(endpoint, ids));
        const { status } = await owner.get(address);
        for (const sql of compiled()) statements.add(sql);
        await owner.get(address);
        again.push(...compiled().map((sql) => `${endpoint.name}: ${sql}`));
        if (status !== 200) continue;
        const ask = (input: Fields) => owner.get(addressOf(endpoint, input));
        notTaken = await readWithFilters(endpoint, { ids, known, only: notTaken, ask });
        for (const sql of compiled()) statements.add(sql);
      }
      refused.push(...(notTaken ?? []).map((field) => `${endpoint.name}: ${field}`));
    }
    return { again, refused, statements: [...statements].filter((sql) => /^(select|with)/i.test(sql)) };
  } finally {
    spy.mockRestore();
  }
}

/**
 * Steps of a query plan whose cost grows with the rows: table scans, sorts and temporary indexes.
 */
export function growingSteps(connection: Connection, sql: string): string[] {
  // The query builder writes `false` for an empty list, so no row is read.
  if (/(where|and) false\b/.test(sql)) return [];
  const values = sql.replaceAll(/'[^']*'/g, "").split("?").length - 1;
  const plan = connection.prepare(`explain query plan ${sql}`).all(...Array.from({ length: values }, () => null));
  return (plan as { detail: string }[])
    .map(({ detail }) => detail)
    .filter((detail) => /^SCAN (?!CONSTANT)|TEMP B-TREE|AUTOMATIC/.test(detail));
}

/** Filters that take no value in the scene, and why. Their statements are not explained. */
export const UNUSED_FILTERS: readonly (readonly [filter: string, because: string])[] = [
  ["listApiKeys: workspace_id", "takes it with the organization alone"],
  ["listKeywordsMetrics: related_product_ids", "no keyword of the scene has one"],
  ["listKeywordsMetrics: sub_brand_ids", "no keyword of the scene has one"],
  ["listTopBrands: related_product_ids", "no keyword of the scene has one"],
  ["listTopBrands: sub_brand_ids", "no keyword of the scene has one"],
];

/**
 * Allowed sorts and scans without an index: the start of a FROM clause or a part of the statement,
 * and why it stays small.
 */
export const BOUNDED_PARTS: readonly (readonly [part: string, because: string])[] = [
  ['from "organization_members"', "organizations and workspaces that one person may see"],
  ['from "oauth_records" where', "assistants of one person"],
  ['from "web_sessions"', "browsers of one person"],
  ['order by "answers"."id" desc, "citations"."position"', "citations of one answer: only the last term is sorted"],
  ['from "favourites"', "what one person has marked"],
  ['from "tags"', "tags have a quota"],
  ['"updated_at" from "analyses"', "analyses of one workspace, in an order that was asked for"],
  ['from "analysis_tags"', "tags of one analysis"],
  ['from "asset_tags"', "tags of one asset"],
  ['from "facets"', "the setup of one analysis"],
  ['"attribute" from "questions"', "the setup of one analysis"],
  ['group by 1 order by min("questions"."position")', "who told search volumes, of one analysis"],
  ['select distinct "country" from "questions"', "the setup of one analysis"],
  ['"funnel_stage", "persona_id" from "questions"', "the setup of one analysis"],
  ['"id", "name" from "personas"', "personas have a quota"],
  ['"collect_facts"."source" from "collects"', "sources of one analysis"],
  ['from "collect_links"', "parts of one collect"],
  ['from "audits"', "runs of one audit"],
  ['from "audit_pages"', "pages of one run, which have a cap"],
  ['from "background_jobs"', "jobs of one thing"],
  ['where "places"."answer_key" = ?', "brands in one answer"],
  ['"answers"."key" in (select "answer_key" from "places"', "answers that name a rare brand, at most 2,000"],
  ['from "claims"', "claims in one answer"],
  ['from "answers" inner join "awareness"', "answers to one cell of a table"],
  ['from "action_tasks"', "steps of one action"],
  ['from "recommended_actions"', "only actions of one score are sorted, and states of one workspace counted"],
  ['from "brand_suggestions"', "only suggestions with as many occurrences are sorted"],
  ['from "workspaces" left join (select', "workspaces of one page"],
  [
    '"users"."email" like ?',
    "addresses at one domain: an owner looks seldom, and the index of addresses is searched alone",
  ],
];
