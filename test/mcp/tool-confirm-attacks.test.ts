import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { z } from "zod";
import { setupOf, TESTED_KINDS, type TestedKind } from "../analyses/analysis-setups.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, type Person } from "../support/world.ts";
import { openCommitted } from "../support/committed.ts";

const REVISION = "2026-07-28";

/** A message of the server: a response or a question. Missing parts are empty. */
const Message = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  result: z
    .looseObject({
      resultType: z.string().optional(),
      requestState: z.string().default(""),
      isError: z.boolean().default(false),
      content: z.array(z.object({ text: z.string() })).default([]),
      structuredContent: z.unknown().optional(),
    })
    .prefault({}),
  error: z.object({ code: z.number() }).optional(),
});
type Message = z.output<typeof Message>;

/** A workspace with a priced search analysis, spoken to without any client's help. */
async function scene(kind: TestedKind, options: Parameters<typeof world>[0] = {}) {
  const w = await world({ env: { SERVE: "core,search,mcp" }, ...options });
  const { owner, organization, workspace } = await w.acme();
  const brand = await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" });
  const ids = { organization_id: organization.id, workspace_id: workspace.id };
  const rival = await owner.post(`${workspace.path}/brands`, { name: "Bravo" });
  const setup = setupOf(kind, { own: brand.body.id, rival: rival.body.id });
  const tokens = new Map<Person, string>();

  async function tokenOf(person: Person): Promise<string> {
    const known = tokens.get(person) ?? (await mintToolToken(w, person)).token;
    tokens.set(person, known);
    return known;
  }

  async function post(person: Person, message: object, headers: Record<string, string>): Promise<Response> {
    return fetch(w.config.mcpUrl, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${await tokenOf(person)}`,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  }

  /** One round of the creation, as sent by a current client with forms. */
  async function round(person: Person, given: object, carried: object = {}, name = `create_${kind.type}`) {
    const _meta = {
      "io.modelcontextprotocol/protocolVersion": REVISION,
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    };
    const params = { name, arguments: given, ...carried, _meta };
    const headers = { "mcp-protocol-version": REVISION, "mcp-method": "tools/call", "mcp-name": name };
    const response = await post(person, { id: 1, method: "tools/call", params }, headers);
    return Message.parse(await response.json());
  }

  return {
    ...w,
    owner,
    organization,
    ids,
    tool: `create_${kind.type}`,
    post,
    round,
    async quote(person = owner) {
      const { body } = await person.post(`${workspace.path}/${kind.path}/price`, setup);
      return { ...ids, quote_id: body.quote_id as string };
    },
    async made() {
      const { body } = await owner.get(`${workspace.path}/analyses`);
      return body.data.length as number;
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

const [SEARCH] = TESTED_KINDS as [TestedKind];
const accepted = { confirm: { action: "accept", content: {} } };

function codeOf({ result }: Message): string {
  return z.object({ code: z.string() }).parse(JSON.parse(result.content[0]?.text ?? "{}")).code;
}

test.each(TESTED_KINDS)(
  "$noun: only the state that the question was sent with carries a yes: for its person, its tool and its quote",
  async (kind) => {
    // Attack: answering for the person, with a state that is missing, altered, or was given for
    // something else.
    await using s = await scene(kind);
    const editor = await s.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
    const [quote, other] = [await s.quote(), await s.quote()];
    const asked = await s.round(s.owner, quote);
    expect(asked.result).toMatchObject({ resultType: "input_required", inputRequests: { confirm: {} } });
    const { requestState } = asked.result;

    expect((await s.round(s.owner, quote, { inputResponses: accepted })).result.resultType).toBe("input_required");
    const altered = `${requestState.slice(0, -4)}AAAA`;
    expect((await s.round(s.owner, quote, { inputResponses: accepted, requestState: altered })).error?.code).toBe(
      -32_602,
    );
    const elsewhere = { inputResponses: accepted, requestState };
    expect((await s.round(s.owner, other, elsewhere)).result.resultType).toBe("input_required");
    expect((await s.round(editor, await s.quote(editor), elsewhere)).error?.code).toBe(-32_602);
    expect(await s.made()).toBe(0);

    expect((await s.round(s.owner, quote, elsewhere)).result.structuredContent).toMatchObject({ name: "Phones" });
    expect(codeOf(await s.round(s.owner, quote, elsewhere))).toBe("QUOTE_USED");
    expect(await s.made()).toBe(1);
  },
);

test.each(TESTED_KINDS)("$noun: two concurrent confirmations of one quote create one analysis", async (kind) => {
  // Attack: spending twice what was confirmed once.
  await using s = await scene(kind);
  const quote = await s.quote();
  const { requestState } = (await s.round(s.owner, quote)).result;
  const twice = await Promise.all(
    [1, 2].map(() => s.round(s.owner, quote, { inputResponses: accepted, requestState })),
  );
  expect(twice.filter((answer) => answer.result.isError)).toHaveLength(1);
  expect(await s.made()).toBe(1);
});

test.each(TESTED_KINDS)(
  "$noun: rejects changes between question and answer: an expired quote, a lost role, missing credits",
  async (kind) => {
    let now = "2026-11-21T08:00:00.000Z";
    await using s = await scene(kind, { now: () => now });
    const editor = await s.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
    const quote = await s.quote(editor);
    const { requestState } = (await s.round(editor, quote)).result;
    const confirmed = () => s.round(editor, quote, { inputResponses: accepted, requestState });
    const setRole = (role: "viewer" | "editor") =>
      s.store.write(async ({ q, t }) => void (await q.update(t.organizationMembers).set({ role })));
    await setRole("viewer");
    expect(codeOf(await confirmed())).toBe("FORBIDDEN");
    await setRole("editor");
    const setCredits = (available: number) =>
      s.store.write(async ({ q, t }) => void (await q.update(t.creditBalances).set({ available })));
    await setCredits(1);
    expect(codeOf(await confirmed())).toBe("INSUFFICIENT_CREDITS");
    await setCredits(10_000);
    now = "2026-11-21T08:15:00.000Z";
    expect(codeOf(await confirmed())).toBe("QUOTE_EXPIRED");
    expect(codeOf(await s.round(editor, await s.quote(s.owner)))).toBe("QUOTE_FOREIGN");
    expect(await s.made()).toBe(0);
  },
);

/**
 * Starts a creation as a 2025-era client with forms; `next` returns the messages of the open
 * response.
 */
async function openCall(s: Awaited<ReturnType<typeof scene>>, quote: object) {
  const initialize = {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: {} },
      clientInfo: { name: "raw", version: "1" },
    },
  };
  const opened = await s.post(s.owner, initialize, {});
  const session = {
    "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": "2025-11-25",
  };
  await opened.body?.cancel();
  const params = { name: s.tool, arguments: { ...quote, confirmed: true } };
  const response = await s.post(s.owner, { id: 7, method: "tools/call", params }, session);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    session,
    type: response.headers.get("content-type"),
    async next(): Promise<Message | undefined> {
      while (!text.includes("\n\n")) {
        const chunk = await reader?.read();
        if (!chunk || chunk.done) return undefined;
        text += chunk.value;
      }
      const at = text.indexOf("\n\n");
      const event = text.slice(0, at);
      text = text.slice(at + 2);
      return Message.parse(JSON.parse(event.slice(event.indexOf("data: ") + 6)));
    },
    cancel: () => reader?.cancel(),
  };
}

test.each(TESTED_KINDS)(
  "$noun: a question on an open call accepts an answer only from the same person and client",
  async (kind) => {
    // Attack: another person, or one without a token, confirms in the person's place.
    await using s = await scene(kind);
    const editor = await s.signIn("editor@acme.test", { organizationId: s.organization.id, role: "editor" });
    const call = await openCall(s, await s.quote());
    expect(call.type).toBe("text/event-stream");
    const question = await call.next();
    expect(question).toMatchObject({
      method: "elicitation/create",
      params: { message: expect.stringContaining("Cost:") },
    });
    const answer = yes(question?.id);
    expect((await s.post(editor, answer, call.session)).status).toBe(400);
    const anonymous = await fetch(s.config.mcpUrl, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", ...answer }),
    });
    expect(anonymous.status).toBe(401);
    expect((await s.post(s.owner, { ...answer, id: 0 }, call.session)).status).toBe(400);
    expect(await s.made()).toBe(0);
    expect((await s.post(s.owner, answer, call.session)).status).toBe(202);
    expect(await call.next()).toMatchObject({ id: 7, result: { structuredContent: { name: "Phones" } } });
    expect(await call.next()).toBeUndefined();
    expect((await s.post(s.owner, answer, call.session)).status).toBe(400);
    expect(await s.made()).toBe(1);
  },
);

const yes = (id: Message["id"]) => ({ id, result: { action: "accept", content: {} } });

test.each(TESTED_KINDS)(
  "$noun: a cancelled or disconnected call creates nothing, even if the confirmation arrives later",
  async (kind) => {
    await using s = await scene(kind);
    const cancelled = await openCall(s, await s.quote());
    const question = await cancelled.next();
    const cancel = { method: "notifications/cancelled", params: { requestId: 7 } };
    expect((await s.post(s.owner, cancel, cancelled.session)).status).toBe(202);
    expect(await cancelled.next()).toBeUndefined();
    expect((await s.post(s.owner, yes(question?.id), cancelled.session)).status).toBe(400);

    const unanswered = async () => {
      await s.deps.audit.flush();
      const { q, t } = openCommitted(s.store);
      return (await q.select().from(t.auditLog).where(eq(t.auditLog.outcome, "unanswered"))).length;
    };
    const left = await openCall(s, await s.quote());
    const second = await left.next();
    await left.cancel();
    await expect.poll(unanswered, { timeout: 5000 }).toBe(2);
    expect((await s.post(s.owner, yes(second?.id), left.session)).status).toBe(400);
    expect(await s.made()).toBe(0);
  },
);

test.each(TESTED_KINDS)(
  "$noun: stopping the service ends open questions immediately, and creates nothing",
  { timeout: 5000 },
  async (kind) => {
    await using s = await scene(kind);
    const call = await openCall(s, await s.quote());
    await call.next();
    await s.close();
    expect(await call.next()).toBeUndefined();
  },
);

test("returns 404 for a foreign session, so that its client initializes again", async () => {
  await using s = await scene(SEARCH);
  const response = await s.post(s.owner, { id: 1, method: "tools/list" }, { "mcp-session-id": "from-elsewhere" });
  expect(response.status).toBe(404);
});
