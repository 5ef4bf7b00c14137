import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { testFields, type AnsweredRows } from "./field-rules.ts";
import { FIELD_TABLES } from "./field-tables.ts";
import { PARAMETER_TABLES } from "./parameter-tables.ts";
import {
  answerSchema,
  schemaFields,
  operationOf,
  withoutNull,
  type Json,
  type Reference,
} from "./reference-document.ts";
import { ENUMERATIONS } from "./rules.ts";
import { rule } from "./rule.ts";
import { addressOf, EVERY_KEYWORD, metricsScene } from "./search-metrics-scene.ts";

const namesOf = (section: string) => (FIELD_TABLES[section] ?? []).map(({ name }) => name);
const ALL_SOURCES = (ENUMERATIONS["Sources"] ?? []).map((source) => `sources=${source}`).join("&");

/** Rows of a search-metrics endpoint, with their description. */
async function rowsOf(path: "top-brands" | "keywords-metrics", query: string): Promise<AnsweredRows> {
  const { reader, reference } = await metricsScene();
  const { status, body } = await reader.get(await addressOf(path, query));
  expect(status).toBe(200);
  const answer = answerSchema(reference, operationOf(reference, "GET", `/api/v1/${path}`), 200);
  const schema = schemaFields(reference, answer)["data"]?.["items"] as Json;
  return { reference, schema, rows: body.data };
}

/** Rows of the latest and the previous collect, which together have all fields. */
async function keywordRows(): Promise<AnsweredRows> {
  const latest = await rowsOf("keywords-metrics", `${EVERY_KEYWORD}&${ALL_SOURCES}`);
  const { first } = (await metricsScene()).collectIds;
  const before = await rowsOf("keywords-metrics", `${EVERY_KEYWORD}&${ALL_SOURCES}&collect_id=${first}`);
  return { ...latest, rows: [...latest.rows, ...before.rows] };
}

testFields("2.5", namesOf("2.5"), keywordRows);

testFields("2.5 related_queries", namesOf("2.5 related_queries"), async () => {
  const { reference, schema, rows } = await keywordRows();
  const list = withoutNull(reference, schemaFields(reference, schema)["related_queries"] ?? {}).schema;
  const related = rows.flatMap((row) => (row["related_queries"] ?? []) as Json[]);
  return { reference, schema: list["items"] as Json, rows: related };
});

testFields("2.6", namesOf("2.6"), () => rowsOf("top-brands", ""));

/** The members that the reference lists for the values of a query parameter. */
function membersOf(reference: Reference, path: string, name: string): unknown {
  const parameter = operationOf(reference, "GET", path).parameters?.find((one) => one.name === name);
  const { schema } = withoutNull(reference, parameter?.schema ?? {});
  return (schema["items"] as Json | undefined)?.["enum"] ?? schema["enum"];
}

const TAKEN_BY: Record<string, string> = {
  Sources: "sources",
  "Competitor types": "competitor_types",
  "Keyword types": "keyword_type",
  "Funnel stages": "funnel_stages",
};

for (const [name, members] of Object.entries(ENUMERATIONS)) {
  rule(`2.7 · ${name}`, async () => {
    const { reader, reference } = await metricsScene();
    const parameter = TAKEN_BY[name] ?? "";
    const described = Object.keys(PARAMETER_TABLES).flatMap((section) => {
      const path = section === "4.6" ? "/api/v1/keywords-metrics" : "/api/v1/top-brands";
      return name === "Funnel stages" && section === "4.6" ? [] : [membersOf(reference, path, parameter)];
    });
    expect(described).toEqual(described.map(() => members));
    const together = members.map((member) => `${parameter}=${member}`).join("&");
    expect((await reader.get(await addressOf("top-brands", together))).status).toBe(200);
    for (const wrong of ["OTHER", `${members[0] ?? ""}_OTHER`]) {
      const answer = await reader.get(await addressOf("top-brands", `${parameter}=${wrong}`));
      expect([wrong, answer.status, answer.body.code]).toEqual([wrong, 400, "VALIDATION_FAILED"]);
    }
  });
}

rule("1 · actions, tasks and briefs", async () => {
  const { reader, workspace } = await metricsScene();
  const path = `${workspace.path}/recommended-actions`;
  const { data } = await eventually(
    async () => (await reader.get(path)).body,
    (body) => body.data.length > 0,
  );
  const tasks = await reader.get(`${path}/${data[0].id}/tasks`);
  expect(tasks.body.data.length).toBeGreaterThan(0);
  for (const task of tasks.body.data as { id: string }[]) {
    const brief = await eventually(
      async () => (await reader.get(`${path}/${data[0].id}/tasks/${task.id}/brief`)).body,
      (body) => body.body !== "",
    );
    expect(brief).toMatchObject({ task_id: task.id, title: expect.stringMatching(/\w/) });
  }
});

/** Polls until background work is done. */
async function eventually<T>(ask: () => Promise<T>, is: (answer: T) => boolean): Promise<T> {
  for (let waited = 0; waited < 20_000; waited += 50) {
    const answer = await ask();
    if (is(answer)) return answer;
    await sleep(50);
  }
  throw new Error("It was not there in 20 s.");
}
