import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { listBrandClaims } from "../../core/brands/brand-conflicts.ts";
import { openStore } from "../../db/engine/sqlite/open-store.ts";
import { Database, type Connection } from "../../db/engine/sqlite/sqlite.ts";
import { WITH_WORKER, world } from "../support/world.ts";

// A database as version 0.1.0 left it: its demo organization, collected, with a row in every table.
const RELEASED = join(import.meta.dirname, "0.1.0.db.gz");
/** Encrypts the secrets of the fixture; used only in this file. */
const MASTER_KEY = "GNWtgbZNg00ZG+pYnzSZ8RxCPpjVSjhXEwOVXatMrvk=";

type Row = Record<string, unknown>;

/** A data folder of version 0.1.0 before its upgrade. */
async function releasedFolder() {
  const path = await mkdtemp(join(tmpdir(), "upgrade-"));
  await writeFile(join(path, "visibility.db"), gunzipSync(await readFile(RELEASED)));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

function look<T>(folder: string, at: (connection: Connection) => T): T {
  const connection = new Database(join(folder, "visibility.db"));
  try {
    return at(connection);
  } finally {
    connection.close();
  }
}

async function migrated(folder: string): Promise<void> {
  const store = await openStore(folder);
  await store.close();
}

function tablesOf(connection: Connection): string[] {
  const rows = connection
    .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite%' order by name")
    .all() as { name: string }[];
  return rows.map(({ name }) => name).filter((name) => name !== "__drizzle_migrations");
}

/** Tables and columns of version 0.1.0 that have another name since. */
const RENAMED: Readonly<Record<string, string>> = {
  keywords: "questions",
  keyword_id: "question_id",
  errands: "outbox",
  eligible: "is_informative",
};

/** Rollup tables of version 0.1.0, which the upgrade recomputes from the answers. */
const SUMMED = new Set(["collect_totals", "brand_rollups", "collect_facts", "keyword_channels", "cited_pages"]);

const withIds = (table: string) =>
  `(select one.*, answers.id as answer_id, brands.id as brand_id from ${table} one join answers on answers.key = one.answer_key
    left join brands on brands.workspace_id = answers.workspace_id and brands.number = one.brand_number)`;

/** Tables whose rows reference numbers instead of ids. */
const NUMBERED: Readonly<Record<string, string>> = {
  mentions: withIds("mentions"),
  places: withIds("places"),
  citations: withIds("citations"),
};

/** Columns replaced by address proofs, or stored in another form. */
const REPLACED = new Set(["signed_in_through", "schedule"]);

/**
 * Every row of every table as text, sorted. `columns` limits it to tables and columns, which it
 * names as version 0.1.0 did.
 */
function contentOf(
  connection: Connection,
  columns?: Record<string, string[]>,
  renamed: Readonly<Record<string, string>> = RENAMED,
): Record<string, string[]> {
  const nameOf = (name: string) => `"${columns ? (renamed[name] ?? name) : name}"`;
  const looked = columns ? Object.keys(columns) : tablesOf(connection);
  return Object.fromEntries(
    looked.map((table) => {
      const picked = (columns?.[table] ?? columnsOf(connection, table)).map(nameOf).join(", ");
      const from = renamed === RENAMED && columns ? NUMBERED[table] : undefined;
      const rows = connection.prepare(`select ${picked} from ${from ?? nameOf(table)}`).all() as Row[];
      return [table, rows.map((row) => JSON.stringify(Object.values(row))).toSorted()];
    }),
  );
}

function columnsOf(connection: Connection, table: string): string[] {
  const columns = connection.pragma(`table_info("${table}")`) as { name: string }[];
  return columns.map(({ name }) => name).toSorted();
}

function keptColumns(connection: Connection): Record<string, string[]> {
  const kept = (table: string) => columnsOf(connection, table).filter((name) => !REPLACED.has(name));
  const names = tablesOf(connection).filter((table) => !SUMMED.has(table));
  return Object.fromEntries(names.map((table) => [table, kept(table)]));
}

function setOf(rows: unknown, without: string): string[] {
  return (rows as Row[]).map((row) => JSON.stringify({ ...row, [without]: null })).toSorted();
}

/** Columns, indexes and references of every table, whatever their order. */
function schemaOf(connection: Connection): Record<string, unknown> {
  return Object.fromEntries(
    tablesOf(connection).map((table) => {
      const indexes = connection.pragma(`index_list("${table}")`) as { name: string; unique: number; origin: string }[];
      const described = indexes.map(({ name, unique, origin }) => {
        const columns = connection.pragma(`index_xinfo("${name}")`) as Row[];
        const definition = connection.prepare("select sql from sqlite_master where name = ?").get(name);
        const named = origin === "c" ? { name, definition } : {};
        // An index lists columns by number, which differs with the order of a table's columns.
        const keys = columns.filter(({ key }) => key === 1).map((column) => ({ ...column, cid: null }));
        return JSON.stringify({ ...named, unique, origin, keys });
      });
      return [
        table,
        {
          columns: setOf(connection.pragma(`table_info("${table}")`), "cid"),
          indexes: described.toSorted(),
          references: setOf(connection.pragma(`foreign_key_list("${table}")`), "id"),
        },
      ];
    }),
  );
}

test("a database of version 0.1.0 opens with every row of every table", async () => {
  await using folder = await releasedFolder();
  const { columns, content } = look(folder.path, (connection) => ({
    columns: keptColumns(connection),
    content: contentOf(connection, keptColumns(connection), {}),
  }));
  expect(Object.keys(content)).toHaveLength(65);
  expect(Object.entries(content).filter(([, rows]) => rows.length === 0)).toEqual([]);
  await migrated(folder.path);
  const after = look(folder.path, (connection) => ({
    content: contentOf(connection, columns),
    broken: connection.pragma("foreign_key_check"),
    integrity: connection.pragma("integrity_check"),
  }));
  expect(after).toEqual({ content, broken: [], integrity: [{ integrity_check: "ok" }] });
});

/**
 * Adds a second workspace with copies of the first one's brands, answers and readings under new
 * ids.
 */
function addWorkspace(connection: Connection): void {
  const copy = (table: string, ids: string[]) => {
    const columns = columnsOf(connection, table);
    const values = columns.map((name) => (ids.includes(name) ? `'2-' || "${name}"` : `"${name}"`));
    connection.exec(
      `insert into "${table}" (${columns.map((name) => `"${name}"`).join(", ")}) select ${values.join(", ")} from "${table}"`,
    );
  };
  connection.pragma("foreign_keys = OFF");
  // Parents of brands still point to the first workspace; no assertion reads them.
  copy("workspaces", ["id"]);
  copy("brands", ["id", "workspace_id"]);
  copy("analyses", ["id", "workspace_id", "brand_id"]);
  copy("keywords", ["id", "analysis_id"]);
  copy("collects", ["id", "workspace_id", "analysis_id"]);
  copy("answers", ["id", "workspace_id", "analysis_id", "collect_id", "keyword_id", "job_id"]);
  for (const table of ["mentions", "places", "citations"]) copy(table, ["answer_id", "brand_id"]);
}

test("readings of two workspaces of version 0.1.0 come through by numbers, in tables without row ids", async () => {
  await using folder = await releasedFolder();
  const kept = ["answers", "mentions", "places", "citations"];
  const { columns, content } = look(folder.path, (connection) => {
    addWorkspace(connection);
    const own = Object.entries(keptColumns(connection)).filter(([table]) => kept.includes(table));
    const picked = Object.fromEntries(own);
    return { columns: picked, content: contentOf(connection, picked, {}) };
  });
  for (const table of kept) expect(content[table]?.some((row) => row.includes("2-"))).toBe(true);
  await migrated(folder.path);
  const after = look(folder.path, (connection) => {
    const rows = (query: string) => connection.prepare(query).all() as Row[];
    return {
      content: contentOf(connection, columns),
      // Numbers start at 1 in each workspace and have no gap.
      gaps: rows("select workspace_id from brands group by 1 having min(number) <> 1 or max(number) <> count(*)"),
      apart: rows("select workspace_id from answers group by 1").length,
      ranges: rows("select distinct key / 2147483648 from answers").length,
      // The next key of each range is unused.
      taken: rows("select 1 from answer_keys join answers using (workspace_id) where key >= base + next or key < base"),
      rowIds: rows(
        "select name from pragma_table_list where wr = 0 and name in ('mentions', 'places', 'citations', 'queries', 'claims')",
      ),
    };
  });
  expect(after).toEqual({ content, gaps: [], apart: after.ranges, ranges: after.ranges, taken: [], rowIds: [] });
  expect(after.ranges).toBeGreaterThan(1);
});

test("a place in an answer takes at most 60 bytes", async () => {
  // Fault: with the ids of answer and brand in each row, and in an index again, it took 250.
  const path = await mkdtemp(join(tmpdir(), "upgrade-"));
  await migrated(path);
  const bytes = look(path, (connection) => {
    connection.pragma("foreign_keys = OFF");
    const before = Number(connection.pragma("page_count", { simple: true }));
    connection.exec(`insert into places (answer_key, brand_number, rank, brand_rank, mentions, url)
      with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 99999)
      select 2147483648 + n / 5, 1 + (n / 5 * 7 + n % 5 * 31) % 500, 1 + n % 5, 1 + n % 5, 1 + n % 3,
        case when n % 4 = 0 then 'https://www.brand-' || (n % 500) || '.example/products' end from numbers`);
    const pages = Number(connection.pragma("page_count", { simple: true })) - before;
    return (pages * Number(connection.pragma("page_size", { simple: true }))) / 100_000;
  });
  await rm(path, { recursive: true });
  expect(bytes).toBeLessThanOrEqual(60);
});

test("brands of version 0.1.0 claim the names and hosts that they have", async () => {
  await using folder = await releasedFolder();
  await migrated(folder.path);
  const { brands, claims } = look(folder.path, (connection) => ({
    brands: connection.prepare("select id, name, aliases, domains from brands").all() as Record<string, string>[],
    claims: connection.prepare("select brand_id, kind, key, cased, case_sensitive from brand_claims").all() as Row[],
  }));
  const expected = brands.flatMap(({ id, name = "", aliases = "", domains = "" }) =>
    listBrandClaims({ name, aliases: JSON.parse(aliases), domains: JSON.parse(domains) }).map(
      ({ kind, key, cased, caseSensitive }) => JSON.stringify([id, kind, key, cased, Number(caseSensitive)]),
    ),
  );
  expect(expected.length).toBeGreaterThan(brands.length);
  expect(claims.map((row) => JSON.stringify(Object.values(row))).toSorted()).toEqual(expected.toSorted());
});

test("sets the answer sizes and collection times of version 0.1.0 collects", async () => {
  await using folder = await releasedFolder();
  await migrated(folder.path);
  const { collects, answers } = look(folder.path, (connection) => ({
    collects: connection
      .prepare("select id, answer_bytes as bytes, collected_from as first, collected_to as last from collects")
      .all() as Row[],
    answers: connection.prepare("select collect_id, raw_body, collected_at from answers").all() as Row[],
  }));
  const expected = collects.map(({ id }) => {
    const own = answers.filter(({ collect_id }) => collect_id === id);
    const times = own.map(({ collected_at }) => Number(collected_at));
    const bytes = own.reduce((sum, { raw_body }) => sum + Buffer.byteLength(String(raw_body)), 0);
    return { id, bytes, first: Math.min(...times), last: Math.max(...times) };
  });
  expect(answers.length).toBeGreaterThan(0);
  expect(collects).toEqual(expected);
});

test("keeps the schedule, plan, reservations and prompts of version 0.1.0 analyses", async () => {
  await using folder = await releasedFolder();
  const created = Date.parse("2026-03-31T08:30:45.000Z");
  const day = 86_400_000;
  const schedules = [
    ["once", null, 1],
    ["daily", created + 3 * day, 10],
    ["weekly", created + 7 * day, 5],
    ["monthly", Date.parse("2026-04-30T08:30:45.000Z"), 4],
  ] as const;
  look(folder.path, (connection) => {
    connection.exec("create temp table one as select * from analyses limit 1");
    for (const [schedule, next, planned] of schedules) {
      connection
        .prepare("update one set id = ?, schedule = ?, created_at = ?, next_collect_at = ?, planned_collects = ?")
        .run(schedule, schedule, created, next, planned);
      connection.exec("insert into analyses select * from one");
      connection.exec("create temp table collect as select * from collects where unit_credits > 0 limit 1");
      const each =
        "(select 3 * json_array_length(setup, '$.sources') * json_extract(setup, '$.runs_per_prompt') from one)";
      connection
        .prepare(`update collect set id = ?, analysis_id = ?, number = 1, planned = ${each}, unit_credits = 2`)
        .run(schedule, schedule);
      connection.exec("insert into collects select * from collect; drop table collect");
    }
  });
  await migrated(folder.path);
  const query =
    "select a.schedule, a.rounds_left as 'left', a.round_credits = 2 * c.planned as paid, s.question_count as asks, c.setup_version as version " +
    "from analyses a join collects c on c.analysis_id = a.id join analysis_setups s on s.analysis_id = a.id and s.setup = a.setup " +
    "where a.id = ?";
  const read = look(folder.path, (connection) =>
    schedules.map(([id]) => {
      const { schedule, ...row } = connection.prepare(query).get(id) as Row;
      return { ...row, schedule: JSON.parse(String(schedule)) as unknown };
    }),
  );
  const same = { paid: 1, asks: 3, version: 1 };
  const at = { at: "08:30", time_zone: "UTC" };
  expect(read).toEqual([
    { ...same, left: 0, schedule: { every: "once", at: "06:00", time_zone: "UTC" } },
    { ...same, left: 7, schedule: { every: "daily", ...at } },
    { ...same, left: 4, schedule: { every: "weekly", weekday: "tuesday", ...at } },
    { ...same, left: 3, schedule: { every: "monthly", day_of_month: 31, ...at } },
  ]);
});

test("attaches version 0.1.0 credentials to proofs of how their person signed in", async () => {
  await using folder = await releasedFolder();
  const credentials = [
    ["web_sessions", "id_hash"],
    ["api_keys", "id"],
    ["oauth_records", "id"],
  ] as const;
  const read = (through: string, joined = "") =>
    look(folder.path, (connection) =>
      credentials.map(([table, key]) => {
        const only = table === "oauth_records" ? "c.model = 'Grant'" : "1";
        const query = `select c.${key} as id, ${through} as through from ${table} c ${joined} where ${only} order by 1`;
        return connection.prepare(query).all();
      }),
    );
  const before = read("c.signed_in_through");
  expect(before.map((rows) => rows.length)).not.toContain(0);
  await migrated(folder.path);
  const through = "case p.way when 'provider' then p.organization_id end";
  expect(read(through, "join address_proofs p on p.id = c.proof_id")).toEqual(before);
});

test("work outside the store that version 0.1.0 left behind is still finished", async () => {
  await using folder = await releasedFolder();
  look(folder.path, (connection) => {
    connection.exec("create temp table one as select * from background_jobs limit 1");
    connection.exec("update one set id = 'left', kind = 'finish_errand', status = 'queued', subject_id = 'left'");
    connection.exec("insert into background_jobs select * from one");
  });
  await migrated(folder.path);
  const left = look(folder.path, (connection) =>
    connection.prepare("select kind from background_jobs where id = 'left'").all(),
  );
  expect(left).toEqual([{ kind: "finish_outbox_entry" }]);
});

test("migrates to the schema of a new database", async () => {
  await using old = await releasedFolder();
  await migrated(old.path);
  const path = await mkdtemp(join(tmpdir(), "upgrade-"));
  await migrated(path);
  const [brought, begun] = [look(old.path, schemaOf), look(path, schemaOf)];
  await rm(path, { recursive: true });
  expect(brought).toEqual(begun);
});

test("serves a version 0.1.0 database after the upgrade: people sign in and read metrics", async () => {
  await using folder = await releasedFolder();
  await using w = await world({ dataDir: folder.path, env: { ...WITH_WORKER, MASTER_KEY } });
  const owner = await w.signIn("owner@home.test");
  const workspace = (await owner.get("/v1/workspaces?limit=100")).body.data.find(
    ({ name }: { name: string }) => name === "Espresso machines",
  );
  const path = `/v1/organizations/${workspace.organization_id}/workspaces/${workspace.id}`;
  const analyses = (await owner.get(`${path}/analyses?limit=100`)).body.data as { id: string; name: string }[];
  const rows = async () => {
    const tops = await Promise.all(
      analyses.map(({ id }) => owner.get(`/api/v1/top-brands?client_id=${workspace.organization_id}&project_id=${id}`)),
    );
    expect(tops.map(({ status }) => status)).toEqual(analyses.map(() => 200));
    return tops.flatMap(({ body }) => body.data as unknown[]).length;
  };
  // The answers are read again by the rules of now before there are sums.
  for (let waited = 0; (await rows()) === 0 && waited < 20_000; waited += 50) await sleep(50);
  expect(await rows()).toBeGreaterThan(0);
  expect(await owner.post(`${path}/tags`, { name: "after the upgrade" })).toMatchObject({ status: 201 });
});

test("refuses a database older than version 0.1.0, says what to do and leaves it unchanged", async () => {
  await using folder = await releasedFolder();
  look(folder.path, (connection) => {
    connection.exec(
      "delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)",
    );
  });
  const before = look(folder.path, contentOf);
  await expect(openStore(folder.path)).rejects.toThrow(
    "This database was written by a version before 0.1.0. Start it once with version 0.1.0, then with this one.",
  );
  expect(look(folder.path, contentOf)).toEqual(before);
});
