import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { MAX_EXPORTS } from "../../core/exports/exports.ts";
import { collectScene } from "../collecting/scene.ts";
import { openCommitted } from "../support/committed.ts";
import { CLIENTS } from "../support/tool-client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { WITHOUT_LIMITS } from "../support/world.ts";

// Exports over HTTP: src/jobs/exports, tools/exports, src/http/exported-files.ts.

const TABLES = ["answers", "mentions", "citations", "queries", "jobs", "catalog", "visibility", "stances", "pages"];
const ANSWERS = 6;
let s: Awaited<ReturnType<typeof collectScene>>;
let exportsPath: string;
let analysisPath: string;

beforeAll(async () => {
  s = await collectScene({ env: { ...WITHOUT_LIMITS } });
  exportsPath = `${s.workspace.path}/exports`;
  analysisPath = await s.create(["best phone 0"], { sources: [] });
  const lines = Array.from({ length: ANSWERS }, (_, at) =>
    JSON.stringify({
      keyword: `best phone ${at}`,
      source: at % 2 === 0 ? "ASSISTANT_A" : "ASSISTANT_B",
      text: at === 0 ? '=1+1 "Acme",\nthen Rival' : `1. Acme\n2. Rival (${at})`,
      citations: [{ url: "https://acme.test/a", title: "@SUM(A1)" }],
      queries: ["phones"],
      collected_at: "2026-10-05T08:00:00.000Z",
    }),
  );
  const { status } = await s.owner.request("POST", `${analysisPath}/answers/import`, {
    body: lines.join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
  if (status !== 201) throw new Error(`the answers were not imported: ${status}`);
  // The first export starts a thread, which takes its time on a busy machine.
  await linked();
}, 60_000);
afterAll(async () => s[Symbol.asyncDispose]());

/** Creates an export and returns its bytes from the call itself, retrying on slow machines. */
async function exported(request: object): Promise<{ headers: Headers; bytes: Buffer }> {
  const authorization = `Bearer ${await tokenOf()}`;
  for (let tries = 0; tries < 10; tries += 1) {
    const response = await fetch(`${s.config.baseUrl}${exportsPath}`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify(request),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    if (response.status === 200) return { headers: response.headers, bytes };
    if (response.status !== 202) throw new Error(bytes.toString());
    await completed(JSON.parse(bytes.toString()).id);
  }
  throw new Error("no export was made in time");
}

async function tokenOf(): Promise<string> {
  const { body } = await s.request("POST", "/v1/auth/token", { body: { api_key: s.owner.apiKey } });
  return body.access_token;
}

function linesOf(bytes: Buffer): Record<string, unknown>[] {
  const text = bytes.toString();
  return text === ""
    ? []
    : text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
}

test.each(TABLES)("%s is the same table in every format", async (what) => {
  const jsonl = linesOf((await exported({ what, format: "jsonl" })).bytes);
  const csv = recordsOf((await exported({ what, format: "csv" })).bytes.toString());
  const parquet = await exported({ what, format: "parquet" });
  const file = parquet.bytes.buffer.slice(parquet.bytes.byteOffset, parquet.bytes.byteOffset + parquet.bytes.length);
  const rows = await parquetReadObjects({ file: file as ArrayBuffer });
  expect(rows.map(plain)).toEqual(jsonl);
  const [head = [], ...records] = csv;
  expect(Object.keys(jsonl[0] ?? Object.fromEntries(head.map((name) => [name, null])))).toEqual(head);
  const unquoted = records.map((record) => record.map((cell) => cell.replace(/^'(?=[=+\-@])/, "")));
  expect(unquoted).toEqual(jsonl.map((row) => Object.values(row).map(csvText)));
  expect(jsonl.length > 0).toBe(!["jobs", "stances", "pages"].includes(what));
});

/** Row as in JSON Lines. */
function plain(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Date) return [name, value.toISOString()];
      return [name, typeof value === "bigint" ? Number(value) : value];
    }),
  );
}

function csvText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Records of a CSV file with all values quoted (RFC 4180). */
function recordsOf(text: string): string[][] {
  const records = text.match(/(?:"(?:[^"]|"")*",?)+\r\n/g) ?? [];
  return records.map((record) =>
    [...record.matchAll(/"((?:[^"]|"")*)"/g)].map(([, cell = ""]) => cell.replaceAll('""', '"')),
  );
}

test("exports complete answers with prompt and time", async () => {
  const [first] = linesOf((await exported({ what: "answers", format: "jsonl" })).bytes);
  expect(first).toMatchObject({
    analysis_id: analysisPath.split("/").at(-1),
    collect: 1,
    is_imported: true,
    source: "ASSISTANT_A",
    keyword: "best phone 0",
    text: '=1+1 "Acme",\nthen Rival',
    collected_at: "2026-10-05T08:00:00.000Z",
    shown: true,
    cost_usd: null,
  });
});

test("exports no text that a spreadsheet runs as a formula", async () => {
  // Attack: an assistant, or a cited page, runs a formula in a person's spreadsheet.
  const answers = (await exported({ what: "answers", format: "csv" })).bytes.toString();
  expect(answers).toContain(`"'=1+1 ""Acme"",\nthen Rival"`);
  expect((await exported({ what: "citations", format: "csv" })).bytes.toString()).toContain(`"'@SUM(A1)"`);
});

async function mentionsOf(filters: object) {
  return linesOf((await exported({ what: "mentions", format: "jsonl", filters })).bytes);
}

test("filters narrow the rows", async () => {
  expect((await mentionsOf({ sources: ["ASSISTANT_B"] })).map(({ source }) => source)).toEqual(
    Array(6).fill("ASSISTANT_B"),
  );
  expect(new Set((await mentionsOf({ brand_ids: [s.brandId] })).map(({ brand }) => brand))).toEqual(new Set(["Acme"]));
  expect(await mentionsOf({ analysis_ids: [analysisPath.split("/").at(-1)] })).toHaveLength(2 * ANSWERS);
});

test("rejects a filter of another table, and a foreign id", async () => {
  const refused = await s.owner.post(exportsPath, {
    what: "catalog",
    format: "csv",
    filters: { sources: ["SEARCH_A"] },
  });
  expect(refused).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", fields: [{ path: "filters.sources", allowed: ["brand_ids"] }] },
  });
  const rival = await s.signIn("mallory@rival.test");
  const theirs = (await rival.get("/v1/workspaces")).body.data;
  expect(theirs).toEqual([]);
  const elsewhere = { what: "answers", format: "csv", filters: { analysis_ids: [s.brandId] } };
  expect(await s.owner.post(exportsPath, elsewhere)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED" },
  });
});

test("sends a file that matches its digest and is never rendered as a page", async () => {
  const { headers, bytes } = await exported({ what: "catalog", format: "csv" });
  const digest = createHash("sha256").update(bytes).digest("base64");
  expect({
    digest: headers.get("repr-digest"),
    type: headers.get("content-type"),
    sniffing: headers.get("x-content-type-options"),
    name: headers.get("content-disposition")?.replace(/\d{4}-\d\d-\d\d/, "DAY"),
  }).toEqual({
    digest: `sha-256=:${digest}:`,
    type: "text/csv; charset=utf-8; header=present",
    sniffing: "nosniff",
    name: 'attachment; filename="catalog-DAY.csv"',
  });
});

/** Creates an export by link, and waits for the link. */
async function linked(): Promise<{ id: string; url: string }> {
  const queued = await s.owner.post(exportsPath, { what: "catalog", format: "jsonl" }, { prefer: "respond-async" });
  expect(queued).toMatchObject({ status: 202, body: { status: "queued", what: "catalog" } });
  const { id } = queued.body;
  return completed(id);
}

async function completed(id: string): Promise<{ id: string; url: string }> {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const { body } = await s.owner.get(`${exportsPath}/${id}`);
    if (body.status === "completed") return body;
    await sleep(20);
  }
  throw new Error("the export was not made in 20 s");
}

test("a link needs no sign-in, and dies with its export", async () => {
  const { id, url } = await linked();
  const shown = await fetch(url);
  expect(shown.status).toBe(200);
  expect(linesOf(Buffer.from(await shown.arrayBuffer())).map(({ name }) => name)).toEqual([
    "Acme",
    "Rival",
    null,
    null,
  ]);
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  expect(await s.owner.delete(`${exportsPath}/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
  expect(await (await fetch(url)).json()).toMatchObject({ code: "NOT_FOUND" });
  expect(await s.owner.get(`${exportsPath}/${id}`)).toMatchObject({ status: 404 });
});

test("logs a download by link before its first byte, with its owner and without the signature", async () => {
  const { id, url } = await linked();
  const path = `${s.organization.path}/audit-log?endpoint=downloadExport&limit=1`;
  const before = (await s.owner.get(path)).body.data[0]?.id;
  await fetch(url, { method: "HEAD" });
  await fetch(`${url}x`);
  expect((await s.owner.get(path)).body.data[0]?.id).toBe(before);
  const response = await fetch(url);
  // Only the head has arrived; nothing waits for the body.
  const { data } = (await s.owner.get(path)).body;
  await response.body?.cancel();
  expect(data).toEqual([
    {
      id: expect.any(String),
      at: expect.any(String),
      endpoint: "downloadExport",
      text: `Downloaded “catalog” as “jsonl” by the link that “${s.owner.email}” made, export “${id}”`,
      outcome: "ok",
      user_id: null,
      user_email: null,
      door: "link",
      client_id: null,
      client_name: null,
      scopes: [],
      workspace_id: s.workspace.id,
      cost_credits: null,
      confirmation: "none",
      request_id: response.headers.get("x-request-id"),
      count: 1,
    },
  ]);
  const { q, t } = openCommitted(s.store);
  const signature = new URL(url).searchParams.get("signature") ?? "none";
  expect(JSON.stringify(await q.select().from(t.auditLog))).not.toContain(signature);
});

test("a download continues if its audit row cannot be written, which is retried", async () => {
  const { url } = await linked();
  const path = `${s.organization.path}/audit-log?endpoint=downloadExport&limit=1`;
  const full = vi.spyOn(s.store, "write").mockRejectedValue(new Error("database or disk is full"));
  const response = await fetch(url);
  expect(full).toHaveBeenCalled();
  full.mockRestore();
  expect(linesOf(Buffer.from(await response.arrayBuffer()))).toHaveLength(4);
  await s.deps.audit.flush();
  expect((await s.owner.get(path)).body.data[0]).toMatchObject({ request_id: response.headers.get("x-request-id") });
});

test("a link is valid for its own export only", async () => {
  // Attack: deriving another export's link from one.
  const [one, other] = [await linked(), await linked()];
  const signature = new URL(one.url).searchParams.get("signature") ?? "";
  const forged = [
    other.url.replace(/signature=.*/, `signature=${signature}`),
    other.url.replace(/signature=.*/, ""),
    one.url.slice(0, -1) + (one.url.endsWith("A") ? "B" : "A"),
    one.url.replace(one.id, s.brandId),
  ];
  const statuses = await Promise.all(forged.map(async (url) => (await fetch(url)).status));
  expect(statuses).toEqual(forged.map(() => 404));
});

test("lists exports by REST and tool alike, for the workspace only", async () => {
  const { id } = await linked();
  const listed = (await s.owner.get(exportsPath)).body.data;
  expect(listed[0]).toMatchObject({ id, what: "catalog", format: "jsonl", rows: 4, filters: {} });
  const { token } = await mintToolToken(s, s.owner);
  await using client = await CLIENTS["SDK 2, auto"]?.(s.config.mcpUrl, { token });
  const told = await client?.call("list_exports", { organization: s.organization.id, workspace: s.workspace.id });
  expect(told?.structured?.data ?? told?.text).toSatisfy(Array.isArray);
  expect(told?.structured.data.map((row: { id: string }) => row.id)).toContain(id);
  const mallory = await s.signIn("mallory@rival.test");
  expect(await mallory.get(`${exportsPath}/${id}`)).toMatchObject({ status: 404 });
  expect(await mallory.post(exportsPath, { what: "answers", format: "csv" })).toMatchObject({ status: 404 });
});

test("limits an organization's exports in progress, and logs each one", async () => {
  const { q, t } = openCommitted(s.store);
  const [row] = await q.select().from(t.exports);
  if (!row) throw new Error("no export is kept");
  const open = Array.from({ length: MAX_EXPORTS.open }, (_, at) => ({
    ...row,
    id: `open-${at}`,
    status: "queued" as const,
  }));
  await s.store.write((db) => db.bulkInsert(db.t.exports, open));
  const refused = await s.owner.post(exportsPath, { what: "answers", format: "csv" });
  expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
  expect(refused.headers.get("retry-after")).toBe("30");
  const { body } = await s.owner.get(`${s.organization.path}/audit-log?limit=100&endpoint=createExport`);
  expect(body.data.map((entry: { text: string }) => entry.text)).toContain("Exported “catalog” as “jsonl”");
});
