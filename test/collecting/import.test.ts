import { expect, test } from "vitest";
import { collectScene } from "./scene.ts";
import { recorded, lines, scene, answer } from "./import-cases.ts";

if (!recorded) process.stdout.write("skipped: recorded answers are not at ../shared/data/recorded\n");

test("imported lines can have keyword data; the last line wins, and the setup takes precedence", async () => {
  await using s = await scene();
  const related_queries = [{ query: "phone test", relevance: 80 }];
  const sent = await s.send(
    lines(
      answer({ search_volume: 900 }),
      answer({ run: 2, search_volume: 1000, trends: [900, 1100] }),
      answer({ keyword: "best tablet", search_interest_trends: [40, 100], related_queries }),
      answer({ run: 3, search_volume: -1 }),
    ),
  );
  expect(sent.body).toMatchObject({ accepted: 3, rejected: [{ line: 4 }] });
  const { data } = (await s.owner.get(`${s.analysis}/keywords`)).body;
  const at = expect.stringMatching(/Z$/u) as unknown;
  expect(data).toMatchObject([
    { text: "best phone", search_volume: 1000, search_volume_from: "import", search_volume_at: at },
    { text: "best tablet", search_volume: null, search_volume_from: null, search_volume_at: null },
  ]);
  const project = { project_id: s.analysis.split("/").at(-1) ?? "", client_id: s.organization.id };
  const query = new URLSearchParams({ ...project, sources: "", thematics: "", keyword_type: "" });
  const { body } = await s.owner.get(`/api/v1/keywords-metrics?${query.toString()}`);
  expect(body.data).toMatchObject([
    { search_volume: 1000, trends: [900, 1100] },
    { search_interest_trends: [40, 100], related_queries },
  ]);
  const [{ from, keywords, first_at, last_at }] = body.basis.keyword_figures;
  expect([from, keywords, first_at]).toEqual(["import", 1, last_at]);
  const keyword = { text: "best phone", search_volume: 7 };
  const own = await s.create([], {
    sources: [],
    thematics: [{ name: "Phones", topics: [{ name: "All", keywords: [keyword] }] }],
  });
  const [row] = (await s.owner.get(`${own}/keywords`)).body.data;
  expect([row.search_volume, row.search_volume_from, row.search_volume_at]).toEqual([7, "setup", null]);
});

test("each request becomes a free completed collect, and new keywords join the analysis", async () => {
  await using s = await scene();
  const before = await s.credits();
  const first = await s.send(
    lines(
      answer({ model: "m-1", provider: "web app", locale: "de-DE", collected_at: "2026-11-01T08:00:00Z", run: 2 }),
      answer({ keyword: "best tablet", thematic: "Tablets", topic: "Price" }),
      answer({ keyword: "is Acme any good?", thematic: "Tablets" }),
      {
        keyword: "best phone",
        source: "SEARCH_A",
        results: [{ rank: 3, url: "https://www.acme.test/", title: "Acme" }],
      },
      answer({ keyword: "loose", text: "No brand here.", citations: [] }),
    ),
  );
  expect(first).toMatchObject({ status: 201, body: { number: 1, accepted: 5, rejected: [] } });
  const second = await s.send(lines(answer()));
  expect(second).toMatchObject({ status: 201, body: { number: 2, accepted: 1 } });
  expect(await s.collects()).toMatchObject([
    { id: second.body.collect_id, number: 2, status: "completed", planned: 1, succeeded: 1 },
    { id: first.body.collect_id, number: 1, status: "completed", planned: 5, succeeded: 5, failed: 0 },
  ]);
  expect(await s.credits()).toEqual(before);
  const { body } = await s.owner.get(`${s.analysis}/keywords`);
  type Keyword = Record<"text" | "type" | "thematic" | "topic", string>;
  expect(body.data.map(({ text, type, thematic, topic }: Keyword) => [text, type, thematic, topic])).toEqual([
    ["best phone", "Generic", "Phones", "All"],
    ["best tablet", "Generic", "Tablets", "Price"],
    ["is Acme any good?", "Brand", "Tablets", "Tablets"],
    ["loose", "Generic", "Imported", "Imported"],
  ]);
  const rows = await s.answers();
  expect(rows.map((row) => [row.prompt, row.source, row.run, row.isInformative])).toEqual([
    ["best phone", "ASSISTANT_A", 2, true],
    ["best tablet", "ASSISTANT_A", 1, true],
    ["is Acme any good?", "ASSISTANT_A", 1, true],
    ["best phone", "SEARCH_A", 1, true],
    ["loose", "ASSISTANT_A", 1, false],
    ["best phone", "ASSISTANT_A", 1, true],
  ]);
  expect(rows[0]).toMatchObject({
    collectionMethod: "import",
    model: "m-1",
    provider: "web app",
    locale: "de-DE",
    collectedAt: "2026-11-01T08:00:00.000Z",
    costUsd: null,
    jobId: null,
  });
  expect(JSON.parse(rows[0]?.rawBody ?? "")).toMatchObject({ keyword: "best phone", run: 2 });
  expect((await s.owner.get(s.analysis)).body.status).toBe("live");
});

test("names broken lines by number with the fault, and stores the others", async () => {
  await using s = await scene();
  const { status, body } = await s.send(
    [
      JSON.stringify(answer()),
      "{",
      "",
      JSON.stringify(answer({ source: "ASSISTANT_Z" })),
      JSON.stringify(answer()),
      JSON.stringify(answer({ keyword: "best \u202Ephone" })),
      JSON.stringify(answer({ run: 2, colour: "red" })),
      `{"keyword": "best\\u0000phone", "source": "ASSISTANT_A", "text": "x"}`,
      `{"keyword": "best phone", "source": "ASSISTANT_B", "text": "raw \u0000 byte"}`,
      JSON.stringify(answer({ run: 3, collect: "second" })),
      JSON.stringify(answer({ run: 4, text: "" })),
      JSON.stringify(answer({ run: 5, thematic: "a\nb" })),
      JSON.stringify(answer({ run: 6 })),
    ].join("\r\n"),
  );
  expect(status).toBe(201);
  expect(body.accepted).toBe(2);
  expect(body.rejected.map(({ line, message }: { line: number; message: string }) => `${line}: ${message}`)).toEqual([
    "2: is not JSON",
    expect.stringMatching(/^4: source: /),
    "5: has the keyword, source and run of an earlier line",
    "6: keyword: must not contain control or bidirectional characters",
    "7: has a field that is not part of the format",
    "8: holds a NUL character or half of a surrogate pair",
    "9: is not JSON",
    "10: collect: differs from the first line's; one request makes one collect",
    expect.stringMatching(/^11: text: /),
    "12: thematic: must be one line without control or bidirectional characters",
  ]);
  expect(await s.collects()).toMatchObject([{ number: 1, planned: 2, status: "completed" }]);
});

test("rejects a body without lines, with invalid UTF-8 or above the limit, and stores nothing", async () => {
  await using s = await scene({ IMPORT_MAX_MB: "2", IMPORT_MAX_LINES: "2000" });
  expect(await s.send("")).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(await s.send(Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]))).toMatchObject({ status: 400 });
  // The first byte of two, and no other.
  expect(await s.send(Uint8Array.from([0x7b, 0xc3]))).toMatchObject({ status: 400 });
  expect(await s.send("x".repeat(3 * 1024 * 1024))).toMatchObject({
    status: 413,
    body: { code: "PAYLOAD_TOO_LARGE" },
  });
  expect(await s.send("{}\n".repeat(2001))).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
  const gone = "00000000-0000-7000-8000-000000000000";
  expect(await s.send(lines(answer()), {}, `${s.workspace.path}/analyses/${gone}`)).toMatchObject({ status: 404 });
  const viewer = await s.signIn("viewer@acme.test", { organizationId: s.organization.id, role: "viewer" });
  expect(await viewer.post(`${s.analysis}/answers/import`, lines(answer()))).toMatchObject({ status: 403 });
  expect(await s.collects()).toEqual([]);
  expect((await s.owner.get(`${s.analysis}/keywords`)).body.data).toHaveLength(1);
  expect(await s.files()).toEqual([]);
});

test("without a valid line, the collect fails, and analysis and metrics stay unchanged", async () => {
  await using s = await scene();
  const before = (await s.owner.get(s.analysis)).body;
  expect(await s.send(lines("{", "x", " "))).toMatchObject({
    status: 201,
    body: { number: 1, accepted: 0, rejected: [{ line: 1 }, { line: 2 }] },
  });
  expect(await s.collects()).toMatchObject([{ number: 1, status: "failed", planned: 0, succeeded: 0 }]);
  expect((await s.owner.get(s.analysis)).body).toEqual(before);
  const projects = `client_id=${s.organization.id}&project_id=${s.analysis.split("/").at(-1)}`;
  await s.send(lines(answer()));
  const top = await s.owner.get(`/api/v1/top-brands?${projects}`);
  expect(await s.send(lines("{}"))).toMatchObject({ status: 201, body: { number: 3, accepted: 0 } });
  expect((await s.owner.get(`/api/v1/top-brands?${projects}`)).body).toEqual(top.body);
  expect((await s.owner.get(s.analysis)).body.status).toBe("live");
});

test("an Idempotency-Key imports once, and rejects other lines", async () => {
  await using s = await scene();
  const headers = { "idempotency-key": "import-1" };
  const first = await s.send(lines(answer()), headers);
  expect(await s.send(lines(answer()), headers)).toMatchObject({ status: 201, body: first.body });
  expect(await s.send(lines(answer({ run: 2 })), headers)).toMatchObject({
    status: 409,
    body: { code: "IDEMPOTENCY_MISMATCH" },
  });
  expect(await s.collects()).toHaveLength(1);
});

test("fault: imported answers replaced the metrics of an analysis that collects itself; they now count only when selected", async () => {
  await using s = await collectScene();
  const analysis = await s.create(["best phone", "cheap phone"]);
  await s.ended(analysis);
  const project = `client_id=${s.organization.id}&project_id=${analysis.split("/").at(-1)}`;
  const top = async (query = "") => (await s.owner.get(`/api/v1/top-brands?${project}&${query}`)).body;
  const before = await top();
  expect(before.basis.answers).toBe(2);
  const nine = ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A"].flatMap((source) =>
    ["best phone", "another phone"].map((keyword) => {
      const results = [{ rank: 1, url: "https://acme.test/" }];
      const said = source === "SEARCH_A" ? { results } : { text: "Acme" };
      return JSON.stringify({ keyword, source, ...said, collected_at: "2030-01-01T00:00:00Z" });
    }),
  );
  const sent = await s.owner.request("POST", `${analysis}/answers/import`, {
    body: nine.join("\n"),
    headers: { "content-type": "application/x-ndjson" },
  });
  await s.ended(analysis, 2);
  expect(await top()).toEqual(before);
  const named = await top(`collect_id=${sent.body.collect_id}`);
  expect(named.basis).toMatchObject({ answers: 4, kind: "collected", previous_collects: [] });
  expect(named.data[0]).toMatchObject({ brand: "Acme", total: 4, presence_rate: 1 });
});

test("splits an import over more than 31 days by month, each compared with the previous one", async () => {
  await using s = await scene();
  const dates = ["2026-07-30", "2026-08-01", "2026-08-31", "2026-09-02"];
  const body = lines(
    ...dates.map((date, at) =>
      answer({ run: at + 1, collected_at: `${date}T12:00:00Z`, text: at < 3 ? "Acme" : "It depends." }),
    ),
  );
  const sent = await s.send(body);
  expect(sent).toMatchObject({ status: 201, body: { number: 1, accepted: 4, rejected: [] } });
  const collects = (await s.collects()).toReversed();
  type Collect = { number: number; succeeded: number; collected_from: string; collected_to: string };
  expect(collects.map((one: Collect) => [one.number, one.succeeded, one.collected_from, one.collected_to])).toEqual([
    [1, 1, "2026-07-30T12:00:00.000Z", "2026-07-30T12:00:00.000Z"],
    [2, 2, "2026-08-01T12:00:00.000Z", "2026-08-31T12:00:00.000Z"],
    [3, 1, "2026-09-02T12:00:00.000Z", "2026-09-02T12:00:00.000Z"],
  ]);
  const report = (await s.owner.get(`${s.analysis}/collects/${sent.body.collect_id}/import-report`)).body;
  expect(report).toMatchObject({
    accepted: 4,
    months: [1, 2, 1].map((accepted, at) => ({ number: at + 1, accepted })),
  });
  const project = `client_id=${s.organization.id}&project_id=${s.analysis.split("/").at(-1)}`;
  const { data, basis } = (await s.owner.get(`/api/v1/top-brands?${project}`)).body;
  expect([basis.collects[0].number, basis.previous_collects[0].number]).toEqual([3, 2]);
  expect(data[0]).toMatchObject({
    brand: "Acme",
    total: 1,
    presence_rate: 0,
    total_prev_collect: 2,
    presence_rate_prev_collect: 1,
  });
  const gone = await s.owner.get(`${s.analysis}/answers?collect_id=${sent.body.collect_id}`);
  expect(gone.body.data).toHaveLength(1);
});

test("an import within 31 days is one collect, even across months", async () => {
  await using s = await scene();
  const body = lines(
    answer({ collected_at: "2026-08-20T00:00:00Z" }),
    answer({ run: 2, collected_at: "2026-09-19T00:00:00Z" }),
  );
  expect(await s.send(body)).toMatchObject({ status: 201, body: { accepted: 2 } });
  expect(await s.collects()).toMatchObject([{ number: 1, succeeded: 2 }]);
});
