import { expect } from "vitest";
import { DUE_DATE } from "../partner/scene.ts";
import { testFields } from "./field-rules.ts";
import { BRIEF_PATH, briefScene, listRejections, newBrief, PARTNER_PATH, rejectionWith } from "./brief-scene.ts";
import { FIELD_TABLES } from "./field-tables.ts";
import {
  answerSchema,
  bodySchema,
  schemaFields,
  resolveReferences,
  operationOf,
  type Json,
} from "./reference-document.ts";
import { rule } from "./rule.ts";
import { SUBMISSION_CODES } from "./rules.ts";

// Sections 2.1, 2.2, 3, 4.1 and 7: the brief and its submission, against the partner process.

const namesOf = (section: string) => (FIELD_TABLES[section] ?? []).map(({ name }) => name);

/** Briefs that were never sent, were sent, have a draft, and were edited by a user. */
async function everyBrief(): Promise<Json[]> {
  const sent = await newBrief();
  await sent.send();
  const { owner } = await briefScene();
  const [edited, done] = [await newBrief(), await newBrief()];
  await owner.patch(edited.path, { title: "In our own words", status: "in_progress" });
  await owner.patch(done.path, { status: "implemented" });
  const draft = await rejectionWith("PARTNER_RECIPIENTS_INVALID");
  return [await (await newBrief()).read(), await sent.read(), await edited.read(), await done.read(), draft.after];
}

testFields(
  "2.1",
  namesOf("2.1"),
  async () => {
    const { reference } = await briefScene();
    const schema = answerSchema(reference, operationOf(reference, "GET", BRIEF_PATH), 200);
    return { reference, schema, rows: await everyBrief() };
  },
  // Nullable, but never null here: each brief has its creation time.
  { null: ["created_at", "updated_at"] },
);

testFields("2.2", namesOf("2.2"), async () => {
  const { reference } = await briefScene();
  const schema = reference.components.schemas["SendBriefToPartnerError"] ?? {};
  return { reference, schema, rows: (await listRejections()).map(({ answer }) => answer.body) };
});

rule("3 · status values", async () => {
  const { owner } = await briefScene();
  const { path, read } = await newBrief();
  expect(await read()).toMatchObject({ status: "not_started" });
  for (const status of ["in_progress", "implemented", "not_started"]) {
    expect(await owner.patch(path, { status })).toMatchObject({ status: 200, body: { status, is_user_edited: false } });
  }
  expect(await owner.patch(path, { status: "sent" })).toMatchObject({ status: 400 });
});

rule("3 · not sent, everything in order", async () => {
  const { partner } = await briefScene();
  const brief = await newBrief();
  expect(await brief.read()).toMatchObject({ partner_brief_id: null });
  const sent = await brief.send();
  const atPartner = (await partner.state()).briefs.find(({ reference }) => reference === brief.id);
  expect(sent).toMatchObject({
    status: 200,
    body: { partner_brief_id: atPartner?.id, partner_due_date: DUE_DATE, partner_status: expect.any(String) },
  });
  expect([sent.body.partner_url, sent.body.partner_synced_at]).not.toContain(null);
  expect(await brief.read()).toEqual(sent.body);
});

rule("3 · not sent, recipients missing or invalid", async () => {
  for (const code of ["PARTNER_RECIPIENTS_NOT_CONFIGURED", "PARTNER_RECIPIENTS_INVALID"]) {
    const { status, answer, after, again } = await rejectionWith(code);
    expect([status, answer.body.brief]).toEqual([409, after]);
    const reference = after["partner_brief_id"];
    expect(reference).toEqual(expect.any(String));
    expect(await again()).toMatchObject({ status: 200, body: { partner_brief_id: reference } });
  }
});

rule("3 · sent", async () => {
  const { partner } = await briefScene();
  const brief = await newBrief();
  const sent = await brief.send();
  expect(await brief.send({ due_date: "2101-01-01T00:00:00Z" })).toMatchObject({
    status: 409,
    body: { code: "ALREADY_SENT", brief: sent.body },
  });
  expect(await brief.read()).toEqual(sent.body);
  const { submissions } = await partner.state();
  expect(submissions.filter(({ reference }) => reference === brief.id)).toHaveLength(1);
});

rule("4.1 · address", async () => {
  const { reference } = await briefScene();
  expect(operationOf(reference, "POST", PARTNER_PATH)).toMatchObject({
    operationId: "send_recommended_action_brief_to_partner",
    tags: ["Recommended Action Brief"],
  });
  expect(Object.keys(reference.paths)).toContain(PARTNER_PATH);
});

rule("4.1 · authentication", async () => {
  const { reference } = await briefScene();
  expect(operationOf(reference, "POST", PARTNER_PATH).security).toEqual([{ bearer: [] }]);
});

rule("4.1 · path parameters", async () => {
  const { reference } = await briefScene();
  const inPath = operationOf(reference, "POST", PARTNER_PATH).parameters?.filter((one) => one.in === "path");
  const uuid = { required: true, schema: { type: "string", format: "uuid" } };
  const names = ["organization_id", "workspace_id", "result_id", "task_id"];
  expect(inPath).toMatchObject(names.map((name) => ({ name, ...uuid })));
});

rule("4.1 · due_date", async () => {
  const { reference } = await briefScene();
  const operation = operationOf(reference, "POST", PARTNER_PATH);
  const body = bodySchema(reference, operation);
  expect([operation.requestBody?.required, body["required"]]).toEqual([true, ["due_date"]]);
  expect(schemaFields(reference, body)["due_date"]).toMatchObject({ type: "string", format: "date-time" });
  const form = new FormData();
  form.set("due_date", DUE_DATE);
  const asText = JSON.stringify({ due_date: DUE_DATE });
  const bodies: [unknown, Record<string, string>?][] = [
    [{ due_date: DUE_DATE }],
    [new URLSearchParams({ due_date: DUE_DATE })],
    [form],
    [asText, { "content-type": "text/plain" }],
    [asText, { "content-type": "application/x-anything" }],
  ];
  for (const [sent, headers] of bodies) {
    expect(await (await newBrief()).send(sent, headers)).toMatchObject({
      status: 200,
      body: { partner_due_date: DUE_DATE },
    });
  }
});

rule("4.1 · 200", async () => {
  const { reference } = await briefScene();
  const schema = answerSchema(reference, operationOf(reference, "POST", PARTNER_PATH), 200);
  expect(Object.keys(schemaFields(reference, schema))).toEqual(namesOf("2.1"));
  const sent = await (await newBrief()).send();
  expect([sent.status, Object.keys(sent.body).toSorted()]).toEqual([200, namesOf("2.1").toSorted()]);
});

/** Every code of a status comes with that status, the brief as it is stored, and a message. */
async function holdsStatus(status: number): Promise<void> {
  const codes = SUBMISSION_CODES.flatMap(([own, code]) => (own === status ? [code] : []));
  const { reference } = await briefScene();
  const described = operationOf(reference, "POST", PARTNER_PATH).responses[String(status)];
  expect(JSON.stringify(described)).toContain("#/components/schemas/SendBriefToPartnerError");
  for (const code of codes) {
    const refused = await rejectionWith(code);
    expect(refused).toMatchObject({ status, answer: { body: { code, brief: refused.after } } });
    expect(refused.answer.body.message).toMatch(/\w/);
  }
}

for (const status of [400, 409, 422, 502]) rule(`4.1 · ${status}`, () => holdsStatus(status));

rule("4.1 · 503", async () => {
  await holdsStatus(503);
  for (const code of ["PARTNER_UNAVAILABLE", "WORKSPACE_UNAVAILABLE"]) {
    const { answer, again } = await rejectionWith(code);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await again()).status).toBe(200);
  }
});

async function holdsUnauthenticated(): Promise<void> {
  const { w } = await briefScene();
  const brief = await newBrief();
  for (const headers of [{}, { authorization: "Bearer nothing" }, { authorization: "Bearer a.b.c" }]) {
    const refused = await w.request("POST", `${brief.path}/partner`, { body: { due_date: DUE_DATE }, headers });
    expect([refused.status, refused.body.code, "brief" in refused.body]).toEqual([401, "UNAUTHENTICATED", false]);
  }
}

async function holdsNotFound(): Promise<void> {
  const { owner } = await briefScene();
  const { path } = await newBrief();
  const nothing = crypto.randomUUID();
  const elsewhere = [
    path.replace(/tasks\/[^/]+/, `tasks/${nothing}`),
    path.replace(/actions\/[^/]+/, `actions/${nothing}`),
  ];
  for (const other of elsewhere) {
    const refused = await owner.post(`${other}/partner`, { due_date: DUE_DATE });
    expect([refused.status, refused.body.code, "brief" in refused.body]).toEqual([404, "NOT_FOUND", false]);
  }
}

rule("4.1 · 401", holdsUnauthenticated);
rule("4.1 · 404", holdsNotFound);
rule("7 · 401", holdsUnauthenticated);
rule("7 · 404", holdsNotFound);

for (const [status, code] of SUBMISSION_CODES) {
  rule(`7 · ${status} ${code}`, async () => {
    const { answer } = await rejectionWith(code);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
}

rule("7 · body", async () => {
  for (const { answer } of await listRejections()) {
    const { brief, code, message, request_id, ...more } = answer.body;
    expect([typeof brief, typeof code, typeof message, typeof request_id]).toEqual([
      "object",
      "string",
      "string",
      "string",
    ]);
    expect(Object.keys(more).filter((key) => key !== "fields")).toEqual([]);
  }
});

rule("7 · set", async () => {
  const { reference } = await briefScene();
  const error = resolveReferences(reference, { $ref: "#/components/schemas/SendBriefToPartnerError" });
  expect(schemaFields(reference, error)["code"]?.["enum"]).toEqual(SUBMISSION_CODES.map(([, code]) => code));
  const refused = await listRejections();
  expect(refused.map(({ answer }) => answer.body.code)).toEqual(SUBMISSION_CODES.map(([, code]) => code));
});

rule("7 · invalid due_date", async () => {
  const brief = await newBrief();
  for (const body of [{ due_date: "soon" }, { due_date: "2100-01-31" }, { due_date: 5 }, { due_date: null }, {}]) {
    const refused = await brief.send(body);
    expect(refused).toMatchObject({ status: 400, body: { code: "DUE_DATE_IN_PAST", brief: { id: brief.id } } });
  }
});
