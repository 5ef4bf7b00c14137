import { asc, eq, sql } from "drizzle-orm";
import type { CollectionMethod, Source } from "../../core/sources/sources.ts";
import { matches } from "../engine/rows.ts";
import { prepareQuery, type Db } from "../engine/store.ts";

type PackedTable = "collectFacts" | "collectAwareness" | "collectPerception";

export interface UnpackedFacts<Facts> {
  source: Source;
  method: CollectionMethod;
  digest: string;
  facts: Facts;
}

/** Unpacks each row once and caches it across requests. */
export function createFactsReader<Facts>(name: PackedTable, open: (packed: Uint8Array) => Facts) {
  const keysOf = prepareQuery(({ q, t }) => {
    const table = t[name];
    const { source, method, digest } = table;
    return q
      .select({ source, method, digest })
      .from(table)
      .where(eq(table.collectId, sql.placeholder("collectId")))
      .orderBy(asc(source), asc(method));
  });
  const packed = prepareQuery(({ q, t }) => {
    const table = t[name];
    return q
      .select({ facts: table.facts })
      .from(table)
      .where(
        matches(table, {
          collectId: sql.placeholder("collectId"),
          source: sql.placeholder("source"),
          method: sql.placeholder("method"),
        }),
      );
  });
  return async (db: Db, collectId: string, sources: readonly Source[] | null): Promise<UnpackedFacts<Facts>[]> => {
    const opened: UnpackedFacts<Facts>[] = [];
    for (const key of await keysOf(db, { collectId })) {
      if (sources !== null && !sources.includes(key.source)) continue;
      const facts = await db.cache.get(`${name} ${key.digest}`, async () => {
        const [row] = await packed(db, { collectId, source: key.source, method: key.method });
        if (!row) throw new Error("packed rows were deleted while they were read");
        return { value: open(row.facts), bytes: row.facts.byteLength };
      });
      opened.push({ ...key, facts });
    }
    return opened;
  };
}
