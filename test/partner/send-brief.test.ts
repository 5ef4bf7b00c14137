import { afterAll, beforeAll, expect, test } from "vitest";
import type { StandInFault } from "../../examples/stand-in-control.ts";
import type { PartnerProcess } from "./partner-process.ts";
import { DUE_DATE, partnerScene, RECIPIENTS, sceneWithPartner } from "./scene.ts";

// interface.md sections 2.1, 2.2, 3, 4.1 and 7 against the partner process of `npx brand-visibility
// partner`.

let scene: Awaited<ReturnType<typeof sceneWithPartner>>;
let partner: PartnerProcess;
beforeAll(async () => {
  scene = await sceneWithPartner();
  ({ partner } = scene);
});
afterAll(() => scene[Symbol.asyncDispose]());

const AN_INSTANT: unknown = expect.stringMatching(/Z$/);
const NOWHERE = "00000000-0000-7000-8000-000000000000";

/** The partner fields of a brief that was never sent. */
const UNSENT = {
  partner_brief_id: null,
  partner_status: null,
  partner_url: null,
  partner_due_date: null,
  partner_synced_at: null,
};

const atPartner = (reference: string) => partner.of(reference);

test("a brief is created and submitted at the partner, and answered with its partner fields", async () => {
  const brief = await scene.newBrief();
  const before = await brief.read();
  const sent = await brief.send();
  const { briefs, submissions } = await atPartner(brief.id);
  expect(briefs).toEqual([
    expect.objectContaining({
      workspace_id: "demo",
      title: before.title,
      body: before.body,
      due_date: DUE_DATE,
      recipients: RECIPIENTS,
      submitted: true,
    }),
  ]);
  expect(submissions).toHaveLength(1);
  expect(sent.status).toBe(200);
  expect(sent.body).toEqual({
    ...before,
    partner_brief_id: briefs[0]?.id,
    partner_status: "Submitted to writers",
    partner_url: `${partner.address}/app/briefs/${briefs[0]?.id}`,
    partner_due_date: DUE_DATE,
    partner_synced_at: AN_INSTANT,
    updated_at: AN_INSTANT,
  });
  expect(await brief.read()).toEqual(sent.body);
});

test("rejects an unreadable body like an invalid one, with the brief, after authentication", async () => {
  const brief = await scene.newBrief();
  const headers = { "content-type": "application/json" };
  const refused = await scene.owner.request("POST", `${brief.path}/partner`, { body: "{", headers });
  expect([refused.status, refused.body.code, refused.body.brief]).toEqual([
    400,
    "DUE_DATE_IN_PAST",
    await brief.read(),
  ]);
  const unknown = await scene.w.request("POST", `${brief.path}/partner`, { body: "{", headers });
  expect([unknown.status, unknown.body.code, unknown.body.brief]).toEqual([401, "UNAUTHENTICATED", undefined]);
});

test.each(["2100-01-31T13:30:00+01:30", "2100-01-31t12:00:00z"])(
  "a due date with an offset or small letters (RFC 3339) is sent and shown in UTC: %s",
  async (due_date) => {
    const brief = await scene.newBrief();
    const sent = await brief.send({ due_date });
    expect(sent.body).toMatchObject({ partner_due_date: DUE_DATE });
    expect((await atPartner(brief.id)).briefs[0]?.due_date).toBe(DUE_DATE);
  },
);

test.each<[string, { body: unknown; headers?: Record<string, string> }]>([
  ["application/json", { body: { due_date: DUE_DATE } }],
  ["application/x-www-form-urlencoded", { body: new URLSearchParams({ due_date: DUE_DATE }) }],
  [
    "multipart/form-data",
    {
      get body() {
        const form = new FormData();
        form.set("due_date", DUE_DATE);
        return form;
      },
    },
  ],
  ["text/plain", { body: JSON.stringify({ due_date: DUE_DATE }), headers: { "content-type": "text/plain" } }],
  ["no type", { body: new TextEncoder().encode(JSON.stringify({ due_date: DUE_DATE })) }],
])("the body is taken as %s", async (_type, { body, headers }) => {
  const brief = await scene.newBrief();
  expect(await brief.send(body, headers)).toMatchObject({ status: 200, body: { partner_due_date: DUE_DATE } });
});

interface Case {
  code: string;
  status: number;
  fault?: StandInFault;
  brief?: Record<string, unknown>;
  due?: string;
  /** True where the partner has a draft afterwards. */
  draft?: boolean;
  retryAfter?: string;
  before?: (brief: Awaited<ReturnType<typeof scene.newBrief>>) => Promise<unknown>;
}

const CASES: [string, Case][] = [
  ["in the past", { code: "DUE_DATE_IN_PAST", status: 400, due: "2020-01-01T00:00:00Z" }],
  ["still being written", { code: "BRIEF_NOT_READY", status: 409, brief: { readyAt: null, body: "" } }],
  ["a token that the partner refuses", { code: "PARTNER_NOT_CONNECTED", status: 409, fault: "token_refused" }],
  ["a workspace that the partner has not", { code: "PARTNER_NOT_CONNECTED", status: 409, fault: "workspace_unknown" }],
  [
    "no recipients at the partner",
    { code: "PARTNER_RECIPIENTS_NOT_CONFIGURED", status: 409, fault: "recipients_missing", draft: true },
  ],
  [
    "recipients that the partner refuses",
    { code: "PARTNER_RECIPIENTS_INVALID", status: 409, fault: "recipients_invalid", draft: true },
  ],
  ["longer than is allowed here", { code: "BRIEF_CONTENT_TOO_LONG", status: 422, brief: { body: "x".repeat(50_001) } }],
  ["longer than the partner takes", { code: "BRIEF_CONTENT_TOO_LONG", status: 422, fault: "content_too_long" }],
  ["rejected by the partner", { code: "PARTNER_VALIDATION_ERROR", status: 422, fault: "rejected", draft: true }],
  ["HTTP 500", { code: "PARTNER_ERROR", status: 502, fault: "error" }],
  ["no JSON", { code: "PARTNER_ERROR", status: 502, fault: "garbage" }],
  ["an answer without end", { code: "PARTNER_ERROR", status: 502, fault: "endless" }],
  ["a redirect", { code: "PARTNER_ERROR", status: 502, fault: "redirect" }],
  ["HTTP 503", { code: "PARTNER_UNAVAILABLE", status: 503, fault: "unavailable", retryAfter: "7" }],
  ["no answer in time", { code: "PARTNER_UNAVAILABLE", status: 503, fault: "hang", draft: true, retryAfter: "5" }],
  [
    "the workspace lookup fails",
    { code: "WORKSPACE_UNAVAILABLE", status: 503, fault: "workspace_unavailable", retryAfter: "5" },
  ],
];

test.each(CASES)("%s: its own status, code and whole body, with the brief in it", async (_name, one) => {
  const brief = await scene.newBrief(one.brief);
  const before = await brief.read();
  await partner.fail(one.fault ?? null);
  const refused = await brief.send({ due_date: one.due ?? DUE_DATE }).finally(() => partner.fail(null));
  const { briefs, submissions } = await atPartner(brief.id);
  expect(briefs).toHaveLength(one.draft ? 1 : 0);
  expect(submissions).toHaveLength(0);
  const reference = one.draft
    ? {
        partner_brief_id: briefs[0]?.id,
        partner_status: "Draft",
        partner_url: `${partner.address}/app/briefs/${briefs[0]?.id}`,
        partner_due_date: null,
        partner_synced_at: AN_INSTANT,
        updated_at: AN_INSTANT,
      }
    : UNSENT;
  expect(refused.status).toBe(one.status);
  expect(refused.body).toEqual({
    code: one.code,
    message: expect.stringMatching(/^[A-Z][^"`<>{}]{10,160}$/i),
    brief: { ...before, ...reference },
    ...(one.due === undefined ? {} : { fields: [{ path: "due_date", message: "must be in the future" }] }),
    request_id: refused.headers.get("x-request-id"),
  });
  expect(refused.headers.get("retry-after")).toBe(one.retryAfter ?? null);
  expect(await brief.read()).toEqual(refused.body.brief);
});

test("a workspace that is not connected: 409 PARTNER_NOT_CONNECTED with the brief", async () => {
  await using unconnected = await partnerScene(partner.address);
  const brief = await unconnected.newBrief();
  expect((await unconnected.owner.delete(`${unconnected.workspace.path}/platform-integrations/partner`)).status).toBe(
    200,
  );
  const refused = await brief.send();
  expect(refused.status).toBe(409);
  expect(refused.body).toEqual({
    code: "PARTNER_NOT_CONNECTED",
    message: expect.any(String),
    brief: await brief.read(),
    request_id: refused.headers.get("x-request-id"),
  });
});

test("a sent brief stays as it is: 409 ALREADY_SENT, whatever the body", async () => {
  const brief = await scene.newBrief();
  const sent = await brief.send();
  for (const body of [{ due_date: DUE_DATE }, { due_date: "2020-01-01T00:00:00Z" }, { due_date: "soon" }, {}]) {
    const refused = await brief.send(body);
    expect(refused.status).toBe(409);
    expect(refused.body).toEqual({
      code: "ALREADY_SENT",
      message: "The brief was already sent to the partner.",
      brief: sent.body,
      request_id: refused.headers.get("x-request-id"),
    });
  }
  expect((await atPartner(brief.id)).submissions).toHaveLength(1);
});

test.each([[{}], [{ due_date: "soon" }], [{ due_date: "2100-01-31" }], [{ due_date: 5 }], [{ due_date: null }]])(
  "an invalid due_date is 400 with the brief: %j",
  async (body) => {
    const brief = await scene.newBrief();
    const refused = await brief.send(body);
    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({
      code: "DUE_DATE_IN_PAST",
      message: "due_date must be a date-time in the future, such as 2030-01-31T12:00:00Z.",
      brief: await brief.read(),
      fields: [{ path: "due_date", message: expect.any(String) }],
      request_id: refused.headers.get("x-request-id"),
    });
    expect((await atPartner(brief.id)).briefs).toEqual([]);
  },
);

test("other request errors use the code of their status, with the brief", async () => {
  // Fault: VALIDATION_FAILED, IDEMPOTENCY_MISMATCH and CONFLICT are none of the eleven codes, and
  // 409 lacked the brief.
  const [brief, other] = [await scene.newBrief(), await scene.newBrief()];
  const told = async ({ status, body }: Awaited<ReturnType<typeof brief.send>>) => [status, body.code, body.message];
  const before = await brief.read();
  const unknownField = await brief.send({ due_date: DUE_DATE, priority: 1 });
  expect(unknownField.body).toEqual({
    code: "DUE_DATE_IN_PAST",
    message: "The request is not valid. Correct: priority.",
    fields: [{ path: "priority", message: "is not a field of this request", allowed: ["due_date"], allowed_count: 1 }],
    brief: before,
    request_id: unknownField.headers.get("x-request-id"),
  });
  const noJson = await brief.send("{", { "content-type": "application/json" });
  expect(noJson.body).toEqual({
    code: "DUE_DATE_IN_PAST",
    message: "The body is not valid JSON.",
    brief: before,
    request_id: noJson.headers.get("x-request-id"),
  });
  const brokenKey = await brief.send({ due_date: DUE_DATE }, { "idempotency-key": "two words" });
  expect([brokenKey.status, brokenKey.body]).toEqual([
    400,
    {
      code: "DUE_DATE_IN_PAST",
      message: "The request is not valid. Correct: Idempotency-Key.",
      fields: [{ path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }],
      brief: before,
      request_id: brokenKey.headers.get("x-request-id"),
    },
  ]);
  // A key that another brief was sent with.
  expect((await other.send({ due_date: DUE_DATE }, { "idempotency-key": "shared" })).status).toBe(200);
  const mismatch = await brief.send({ due_date: "2101-01-01T00:00:00Z" }, { "idempotency-key": "shared" });
  expect(await told(mismatch)).toEqual([
    409,
    "BRIEF_NOT_READY",
    "This Idempotency-Key was used with another body. Use a new key.",
  ]);
  expect(mismatch.body.brief).toEqual(before);
  const sent = await other.send({ due_date: "2101-01-01T00:00:00Z" }, { "idempotency-key": "shared" });
  expect(await told(sent)).toEqual([409, "ALREADY_SENT", "The brief was already sent to the partner."]);
  const odd = await scene.owner.post(`${brief.path.replace(/tasks\/[^/]+/, "tasks/first")}/partner`, {
    due_date: DUE_DATE,
  });
  expect([odd.status, odd.body.code]).toEqual([404, "NOT_FOUND"]);
});

test("rejects a brief in an archived workspace with one of the codes and the brief", async () => {
  await using archived = await partnerScene(partner.address);
  const brief = await archived.newBrief();
  expect((await archived.owner.post(`${archived.workspace.path}/archive`)).status).toBe(200);
  const refused = await brief.send();
  expect(refused).toMatchObject({
    status: 409,
    body: {
      code: "BRIEF_NOT_READY",
      message: "This workspace is archived and can only be read. Restore it first.",
      brief: await brief.read(),
    },
  });
});

test.each([
  ["no text", { body: "" }],
  ["white space", { body: " \n\t " }],
  ["nothing that can be seen", { body: "\u200B\u00AD" }],
  ["a title without a letter", { title: "\u200B" }],
])(
  "an emptied brief is not ready: %s is refused at the edit, and what is stored so at the send",
  async (_what, change) => {
    // Attack: PATCH `body: ""`, then send: 200, and the writers get an empty brief.
    const brief = await scene.newBrief();
    const before = await brief.read();
    const [field] = Object.keys(change);
    const edited = await scene.owner.patch(brief.path, change);
    expect([edited.status, edited.body.fields]).toEqual([400, [{ path: field, message: "must not be empty" }]]);
    expect(await brief.read()).toEqual(before);
    const emptied = await scene.newBrief(change);
    const refused = await emptied.send();
    expect([refused.status, refused.body.code, refused.body.message, refused.body.brief]).toEqual([
      409,
      "BRIEF_NOT_READY",
      "The brief has no title or no text. Write it, and send again.",
      await emptied.read(),
    ]);
    expect((await atPartner(emptied.id)).briefs).toEqual([]);
  },
);

test("401 and 404 carry no brief, and an unknown task comes before an invalid due_date", async () => {
  const brief = await scene.newBrief();
  const nobody = await scene.w.request("POST", `${brief.path}/partner`, { body: { due_date: DUE_DATE } });
  expect(nobody.status).toBe(401);
  expect(Object.keys(nobody.body)).toEqual(["code", "message", "request_id"]);
  const elsewhere = brief.path.replace(/tasks\/[^/]+/, `tasks/${NOWHERE}`);
  for (const body of [{ due_date: DUE_DATE }, { due_date: "soon" }, { due_date: "2020-01-01T00:00:00Z" }]) {
    const unknown = await scene.owner.post(`${elsewhere}/partner`, body);
    expect(unknown.status).toBe(404);
    expect(Object.keys(unknown.body)).toEqual(["code", "message", "request_id"]);
  }
  expect((await atPartner(brief.id)).briefs).toEqual([]);
});

test.each<[string, StandInFault]>([
  ["missing", "recipients_missing"],
  ["invalid", "recipients_invalid"],
])("where recipients are %s the draft is stored, and the next send reuses it", async (_what, fault) => {
  const brief = await scene.newBrief();
  await partner.fail(fault);
  const refused = await brief.send().finally(() => partner.fail(null));
  const draft = refused.body.brief.partner_brief_id;
  expect(draft).toMatch(/^pb_/);
  const sent = await brief.send();
  expect(sent).toMatchObject({ status: 200, body: { partner_brief_id: draft, partner_due_date: DUE_DATE } });
  const { briefs, submissions } = await atPartner(brief.id);
  expect([briefs.map(({ id }) => id), submissions.length]).toEqual([[draft], 1]);
});

test("recipients are the workspace's own; the partner distinguishes missing and unknown ones", async () => {
  const brief = await scene.newBrief();
  await scene.connect({ recipients: [] });
  expect((await brief.send()).body.code).toBe("PARTNER_RECIPIENTS_NOT_CONFIGURED");
  await scene.connect({ recipients: ["nobody@nowhere.invalid"] });
  expect((await brief.send()).body.code).toBe("PARTNER_RECIPIENTS_INVALID");
  await scene.connect();
  expect((await brief.send()).status).toBe(200);
});
