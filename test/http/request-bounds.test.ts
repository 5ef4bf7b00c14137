import { expect, test } from "vitest";
import { z } from "zod";
import { parseWithinBounds } from "../../core/shared/bounded-parse.ts";
import { parseFormPairs } from "../../src/http/body.ts";
import { JsonTooLarge, parseJson } from "../../core/shared/json.ts";
import {
  JSON_BODY_BOUNDS,
  MAX_BATCH_MESSAGES,
  MAX_ERROR_FIELDS,
  MAX_FORM_PAIRS,
  MAX_PROTOCOL_VALUES,
  MAX_SUGGESTED_FIELDS,
  MAX_UNKNOWN_ARGUMENTS,
} from "../../core/shared/request-bounds.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { rawToolCall } from "../support/raw-tool-call.ts";
import { GROUP, scene } from "../scim/client.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world, type Answer } from "../support/world.ts";

const TOO_MANY_NAMES = "A JSON object can have at most 1,000 names.";
const TOO_MANY_PAIRS = "A form or query string can have at most 2,000 fields.";
const MAX_ERROR_BYTES = 16 * 1024;

const names = (count: number, name = "f") =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, 1]));
const pairs = (count: number) =>
  new URLSearchParams(Array.from({ length: count }, (_, at): [string, string] => [`f${at}`, "1"]));
const form = { "content-type": "application/x-www-form-urlencoded" };

const addEmails = (count: number) => {
  return { op: "add", path: "emails", value: Array.from({ length: count }, (_, at) => `p${at}`) };
};
const named = (name: string, count: number) => new URLSearchParams([...pairs(count - 1), ["name", name]]);

const listed = (count: string): unknown => expect.stringMatching(new RegExp(`20 of ${count} fields are listed\\.$`));

async function messageOf(sent: Promise<Answer>) {
  const { status, body } = await sent;
  return [status, body.message];
}

function multipart(fields: URLSearchParams): FormData {
  const body = new FormData();
  for (const [name, value] of fields) body.append(name, value);
  return body;
}

/** The error of a tool's result, or of the protocol. */
async function toolError(answer: Response) {
  const text = await answer.text();
  const { result, error } = JSON.parse(text);
  return { bytes: text.length, ...(error ?? JSON.parse(result.content[0].text)) };
}

test("JSON is counted before it is parsed, by names of an object and values in all, but not inside strings", () => {
  const bounds = { maxNames: 3, maxValues: 200 };
  const parse = (text: string) => () => parseJson(text.padEnd(100), bounds);
  expect(parse('{"a":1,"b":{"a":1,"b":2,"c":3},"c":"::::,,,,"}')()).toMatchObject({ c: "::::,,,," });
  expect(parse('[{"a":1,"b":1,"c":1},{"a":1,"b":1,"c":1}]')()).toHaveLength(2);
  expect(parse('{"a":1,"b":1,"c":1,"a":1}')).toThrow(new JsonTooLarge("A JSON object can have at most 3 names."));
  expect(parse('[[[{"x":{"a":1,"b":1,"c":1,"d":1}}]]]')).toThrow(JsonTooLarge);
  expect(parse(`[${"0,".repeat(199)}0]`)()).toHaveLength(200);
  expect(parse(`[${"0,".repeat(200)}0]`)).toThrow(new JsonTooLarge("A JSON body can have at most 200 values."));
  expect(() => parseJson("[1,2,3]")).not.toThrow();
});

test("5,000 keywords with ten values each stay within the bounds of a body", () => {
  const keyword = { name: "espresso machine", intents: ["buy", "compare"], volume: 10, a: 1, b: 2, c: 3, d: 4 };
  const text = JSON.stringify({ keywords: Array.from({ length: 5000 }, () => keyword) });
  expect(parseJson(text, JSON_BODY_BOUNDS)).toMatchObject({ keywords: { length: 5000 } });
});

test("a form is counted before it is decoded", () => {
  expect(parseFormPairs(String(pairs(MAX_FORM_PAIRS))).size).toBe(MAX_FORM_PAIRS);
  expect(() => parseFormPairs("a&".repeat(200_000))).toThrow(TOO_MANY_PAIRS);
});

test("REST accepts 1,000 names per object and 2,000 pairs per form or query, and rejects one more in a sentence", async () => {
  // Attack: a stranger's or an editor's body of 90,000 names or 74,000 pairs, each of which was
  // decoded, checked and answered.
  await using w = await world();
  const { workspace, owner } = await w.acme();
  const auth = { authorization: `Bearer ${owner.accessToken}` };
  const personas = `${workspace.path}/personas`;
  const token = (count: number) => messageOf(w.request("POST", "/v1/auth/token", { body: names(count) }));
  expect(await token(JSON_BODY_BOUNDS.maxNames)).toEqual([400, listed("1,001")]);
  expect(await token(JSON_BODY_BOUNDS.maxNames + 1)).toEqual([400, TOO_MANY_NAMES]);
  const nested = (count: number) => messageOf(owner.post(personas, { name: "Ada", demographic: names(count) }));
  expect(await nested(JSON_BODY_BOUNDS.maxNames + 1)).toEqual([400, TOO_MANY_NAMES]);
  for (const [bodyOf, headers] of [
    [(count: number) => String(pairs(count)), form],
    [(count: number) => multipart(pairs(count)), {}],
  ] as const) {
    const post = (count: number) =>
      messageOf(w.request("POST", personas, { body: bodyOf(count), headers: { ...auth, ...headers } }));
    expect(await post(MAX_FORM_PAIRS)).toEqual([400, listed("2,001")]);
    expect(await post(MAX_FORM_PAIRS + 1)).toEqual([400, TOO_MANY_PAIRS]);
  }
  const query = (count: number) => messageOf(w.request("GET", `${workspace.path}/brands?${"a&".repeat(count - 1)}a`));
  expect((await query(MAX_FORM_PAIRS))[0]).toBe(401);
  expect(await query(MAX_FORM_PAIRS + 1)).toEqual([400, TOO_MANY_PAIRS]);
});

test("a repeated form field is a list in order, rejected by its schema if too long", async () => {
  // Fault: the list was copied for every pair, so that 74,000 pairs took half a minute.
  await using w = await world();
  const { workspace, owner } = await w.acme();
  const post = (count: number) => {
    const motivations = Array.from({ length: count }, (_, at): [string, string] => ["motivations[]", `m${at}`]);
    const body = new URLSearchParams([["name", "Ada"], ...motivations]);
    const headers = { ...form, authorization: `Bearer ${owner.accessToken}` };
    return w.request("POST", `${workspace.path}/personas`, { body, headers });
  };
  const taken = await post(20);
  expect([taken.status, taken.body.motivations]).toEqual([201, Array.from({ length: 20 }, (_, at) => `m${at}`)]);
  expect((await post(1900)).body.fields).toEqual([{ path: "motivations", message: "must have at most 20 entries" }]);
});

test("issues of a body are counted up to 1,000, in lists of lists too, and the rest is not checked", async () => {
  // Attack: 80,000 wrong entries in 40 lists, each of which became an error with its path.
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  const price = async (keywords: number) => {
    const topics = [{ name: "t", keywords: Array.from({ length: keywords }, () => 0) }];
    const thematics = Array.from({ length: 40 }, (_, at) => ({ name: `n${at}`, topics }));
    const setup = { name: "x", website: "https://acme.test", brand_id: w.deps.newId(), competitor_ids: [], thematics };
    const where = { organization: organization.id, workspace: workspace.id };
    const call = { name: "price_search_analysis", arguments: { ...where, ...setup } };
    return toolError(await rawToolCall(w.config.mcpUrl, token, call));
  };
  for (const [keywords, all] of [
    [24, "961"],
    [25, "more than 1,000"],
    [2000, "more than 1,000"],
  ] as const) {
    const { code, fields, bytes, message } = await price(keywords);
    expect([code, fields.length, bytes < MAX_ERROR_BYTES]).toEqual(["VALIDATION_FAILED", MAX_ERROR_FIELDS, true]);
    expect(message).toMatch(new RegExp(`20 of ${all} fields are listed\\.$`));
  }
});

test("a schema parses the same with a bounded parse, whatever was parsed before", () => {
  const item = z.strictObject({ name: z.string().trim().min(1), tags: z.array(z.enum(["a", "b"])).optional() });
  const schema = z.object({ rows: z.array(item), byName: z.record(z.string(), item), first: item });
  const valid = { rows: [{ name: " x ", tags: ["a"] }], byName: { y: { name: "y" } }, first: { name: "z" } };
  const parsed = { rows: [{ name: "x", tags: ["a"] }], byName: { y: { name: "y" } }, first: { name: "z" } };
  const wrong = { ...valid, rows: Array.from({ length: 5000 }, () => ({ name: "", tags: ["c"] })) };
  expect(parseWithinBounds(schema, wrong)).toMatchObject({ success: false, issues: { length: 20 }, count: Infinity });
  expect(parseWithinBounds(schema, valid)).toEqual({ success: true, data: parsed });
  expect(schema.safeParse(wrong).error?.issues).toHaveLength(10_000);
  expect(parseWithinBounds(schema, { ...wrong, rows: wrong.rows.slice(0, 2) })).toMatchObject({ count: 4 });
});

test("a tool call is admitted before its unknown arguments are compared with any name", async () => {
  // Attack: 55,000 unknown arguments were each compared with all parameters, and returned 13 MB.
  await using w = await world();
  const { owner, organization, workspace } = await w.acme();
  const stranger = await mintToolToken(w, await w.signIn("mallory@rival.test"));
  const own = await mintToolToken(w, owner);
  const call = async ({ token }: { token: string }, given: object) => {
    const where = { organization: organization.id, workspace: workspace.id };
    const sent = { name: "list_brands", arguments: { ...where, ...given } };
    return toolError(await rawToolCall(w.config.mcpUrl, token, sent));
  };
  expect(await call(stranger, names(64))).toMatchObject({ code: "NOT_FOUND" });
  const long = names(MAX_UNKNOWN_ARGUMENTS, "x".repeat(900));
  const atBound = await call(own, long);
  expect([atBound.code, atBound.bytes < MAX_ERROR_BYTES]).toEqual(["VALIDATION_FAILED", true]);
  expect(atBound.message).toBe("The request is not valid. Correct: (a field name). 20 of 64 fields are listed.");
  const suggested = (atBound.fields as { allowed?: string[] }[]).map(({ allowed }) => allowed !== undefined);
  expect(suggested).toEqual(Array.from({ length: MAX_ERROR_FIELDS }, (_, at) => at < MAX_SUGGESTED_FIELDS));
  expect(await call(own, names(MAX_UNKNOWN_ARGUMENTS + 1))).toMatchObject({
    code: "VALIDATION_FAILED",
    message: "A call can have at most 64 unknown arguments. tools/list shows the parameters of each tool.",
  });
  expect(await call(own, names(JSON_BODY_BOUNDS.maxNames + 1))).toMatchObject({ message: TOO_MANY_NAMES });
});

test("the tool server accepts 16 messages at once and 1,000 values besides arguments, and its errors are short", async () => {
  // Attack: a stranger's 40 KB of wrong icons, or a batch of 100 lists, were answered with 5 and 9
  // MB.
  await using w = await world();
  const { owner } = await w.acme();
  const { token } = await mintToolToken(w, owner);
  const send = async (message: unknown, headers: Record<string, string> = {}) => {
    const accept = { accept: "application/json, text/event-stream", "content-type": "application/json" };
    const init = { method: "POST", headers: { ...accept, ...headers }, body: JSON.stringify(message) };
    const answer = await fetch(w.config.mcpUrl, init);
    const text = await answer.text();
    return { status: answer.status, text };
  };
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const batch = (count: number) => send(Array.from({ length: count }, (_, id) => ({ ...ping, id })));
  expect((await batch(MAX_BATCH_MESSAGES)).status).toBe(200);
  const more = await batch(MAX_BATCH_MESSAGES + 1);
  expect([more.status, JSON.parse(more.text).error.message]).toEqual([400, "A batch can have at most 16 messages."]);
  const long = "a".repeat(1001);
  for (const message of [
    { ...ping, method: long },
    { ...ping, id: long },
    { ...ping, method: "tools/call", params: { name: long, arguments: {} } },
    { ...ping, method: "prompts/get", params: { name: long } },
    { ...ping, method: "resources/read", params: { uri: `visibility://${long}` } },
    { ...ping, method: "completion/complete", params: { ref: { type: "ref/prompt", name: long }, argument: {} } },
    { ...ping, method: "completion/complete", params: { ref: { type: "ref/resource", uri: long }, argument: {} } },
  ]) {
    const refused = await send(message);
    expect([refused.status, JSON.parse(refused.text).error.message]).toEqual([
      400,
      "A method, an id, a name and a uri can have at most 1,000 characters.",
    ]);
  }
  expect(JSON.parse((await send({ ...ping, id: "a".repeat(1000) })).text).result).toEqual({});
  const initialize = (icons: number) => {
    const clientInfo = { name: "t", version: "1", icons: Array.from({ length: icons }, () => 0) };
    return { ...ping, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo } };
  };
  const wrong = await send(initialize(MAX_PROTOCOL_VALUES - 20));
  expect(JSON.parse(wrong.text).error.message).toBe(
    "The parameters of this method are not valid. Correct: clientInfo.",
  );
  const inBatch = await send([initialize(MAX_PROTOCOL_VALUES - 20), ping]);
  expect(inBatch.text.length).toBeLessThan(MAX_ERROR_BYTES);
  const tooMuch = await send(initialize(MAX_PROTOCOL_VALUES));
  expect([tooMuch.status, JSON.parse(tooMuch.text).error.message]).toEqual([
    400,
    "A request can have at most 1,000 values besides the arguments of a tool.",
  ]);
  const many = { name: "list_workspaces", arguments: { fields: Array.from({ length: 5000 }, () => "name") } };
  const bearer = { authorization: `Bearer ${token}` };
  const answered = await send({ ...ping, method: "tools/call", params: many }, bearer);
  expect(JSON.parse(answered.text).result.isError).toBe(undefined);
});

test("a page accepts 2,000 form fields, urlencoded or with a file, and rejects one more in a sentence", async () => {
  // Attack: a rejected form of 85,000 fields took 38 s to render again.
  await using w = await world();
  await w.acme();
  const browser = await signedInBrowser(w, "owner@acme.test");
  const url = new URL("/account/rename", w.config.baseUrl);
  const post = async (body: URLSearchParams | FormData) => {
    const headers = { cookie: browser.cookieHeader(url), origin: url.origin, "sec-fetch-site": "same-origin" };
    const answer = await fetch(url, { method: "POST", redirect: "manual", headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  expect((await post(named("Ada", MAX_FORM_PAIRS))).status).toBe(303);
  const refused = await post(named("two\nlines", MAX_FORM_PAIRS));
  expect([refused.status, refused.text.includes('role="alert"')]).toEqual([400, true]);
  expect((await post(multipart(named("Ada", MAX_FORM_PAIRS)))).status).toBe(303);
  for (const body of [named("Ada", MAX_FORM_PAIRS + 1), multipart(named("Ada", MAX_FORM_PAIRS + 1))]) {
    const { status, text } = await post(body);
    expect([status, text.includes(TOO_MANY_PAIRS)]).toEqual([400, true]);
  }
});

test("SCIM takes 1,000 names of a resource and names 5 of any number of invalid values", async () => {
  await using w = await world();
  const { client } = await scene(w);
  const user = (count: number) => client.create("/Users", { userName: "a@acme.test", ...names(count) });
  expect((await user(998)).status).toBe(201);
  const more = await user(1000);
  expect([more.status, more.body.scimType, more.body.detail]).toEqual([400, "invalidSyntax", TOO_MANY_NAMES]);
  const members = Array.from({ length: 9000 }, () => ({}));
  const group = await client.create("/Groups", { schemas: [GROUP], displayName: "All", members });
  expect([group.status, group.body.detail]).toEqual([
    400,
    "Missing, too long or of the wrong type: members.value. These are 1 of more than 1,000 invalid values.",
  ]);
});

test("rejects a SCIM PATCH with multiplying values or filters before comparing them", async () => {
  // Attack: two operations adding 30,000 values each to one attribute, all compared with all.
  await using w = await world();
  const s = await scene(w);
  const { id } = await s.user("ada@acme.test");
  const patch = async (operations: object[]) => {
    const { status, body } = await s.client.patch(`/Users/${id}`, operations as Record<string, unknown>[]);
    return [status, body.detail];
  };
  expect(await patch([addEmails(15)])).toEqual([200, undefined]);
  expect(await patch([addEmails(30_000), addEmails(30_000)])).toEqual([
    400,
    "An attribute can have at most 100 values.",
  ]);
  const terms = Array.from({ length: 20 }, () => 'value eq "a"').join(" or ");
  const remove = { op: "remove", path: `emails[${terms}]` };
  expect((await patch(Array.from({ length: 100 }, () => remove)))[0]).toBe(200);
  expect(await patch(Array.from({ length: 101 }, () => remove))).toEqual([
    400,
    "The filters of a PATCH can have at most 2,000 comparisons in all.",
  ]);
});
