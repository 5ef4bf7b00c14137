import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { DomUtils, parseDocument } from "htmlparser2";
import type { Connection } from "../../db/engine/sqlite/sqlite.ts";
import type { Browser, Visit } from "../../examples/browser.ts";
import { findPostedForms, listActions, readAllFields, type Element } from "./page-forms.ts";

// Forms sent on a connection that breaks, and then twice at the same time.

/**
 * Tables of logs, expiring prices and the worker's follow-ups; compared only if a line names them.
 */
const LOG_TABLES =
  /^(audit_log|web_sessions|quotes|recommended_actions|factor_challenges|idempotency_keys|background_jobs|outbox|file_holds|workspaces|answers|answer_keys|places|mentions|citations|queries|facets|questions|collect_.*|name_sightings|keyword_.*)$/;
/** Tables that the worker updates: only row counts are compared. */
const COUNTED_TABLES = /^(imports|collects|exports|factor_challenges|held_forms)$/;
/** Timestamps, and seals, which differ each time. */
const VOLATILE_COLUMNS = /^(updated_at|last_.*_at|created_at|sealed_.*)$/;

type Rows = Map<string, string[]>;

function bare(row: object): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).filter(([column]) => !VOLATILE_COLUMNS.test(column))));
}

/** Rows created by people, of all or the named tables. */
function rowsOf(reader: Connection, named: string, only?: true): Rows {
  const tables = reader.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[];
  const wanted = new Set(named.split(",").map((one) => one.replace(/ .*/, "")));
  const rows = (name: string) => (reader.prepare(`select * from "${name}"`).all() as object[]).map(bare).toSorted();
  return new Map(
    tables
      .filter((name) => wanted.has(name) || (!only && !LOG_TABLES.test(name)))
      .map((name) => [name, COUNTED_TABLES.test(name) ? rows(name).map(() => "a row") : rows(name)]),
  );
}

/** Tables that changed, each with how many rows it has more. */
function changed(before: Rows, after: Rows): string {
  const lines = [...after].flatMap(([name, rows]) => {
    const was = before.get(name) ?? [];
    const more = rows.length - was.length;
    return was.join("\n") === rows.join("\n") ? [] : [more === 0 ? name : `${name} ${more > 0 ? "+" : ""}${more}`];
  });
  return lines.toSorted().join();
}

interface Sent {
  to: URL;
  body: Buffer;
  headers: Record<string, string>;
}

/** A form filled in, as a browser sends it. */
async function fillForm({ page, form, action }: FoundForm, fill: Record<string, string>): Promise<Sent> {
  const to = new URL(action, page.url);
  const body = form.attribs["enctype"] === "multipart/form-data" ? new FormData() : new URLSearchParams();
  for (const { name, kind, value, options = [] } of readAllFields(form)) {
    // An action is dismissed on the list once it is ticked.
    for (const one of [fill[name] ?? (name === "ids" ? options : value)].flat()) {
      if (kind === "file" && body instanceof FormData) body.append(name, new Blob([one]), "file.jsonl");
      else body.append(name, one);
    }
  }
  // The button that is pressed.
  for (const [name, value] of Object.entries(fill)) if (!body.has(name)) body.append(name, value);
  const encoded = new Response(body);
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const type = encoded.headers.get("content-type") ?? "";
  const from = { origin: to.origin, "sec-fetch-site": "same-origin", referer: page.url.href };
  return { to, body: bytes, headers: { ...from, "content-type": type, "content-length": String(bytes.length) } };
}

/** Sends a form and ends the connection before any answer. */
async function sendBroken({ to, body, headers }: Sent, browser: Browser): Promise<void> {
  const sending = request(to, {
    method: "POST",
    headers: { ...headers, cookie: browser.cookieHeader(to) },
    agent: false,
  });
  sending.on("error", () => undefined);
  sending.end(body, () => sending.destroy());
  await new Promise((resolve) => sending.on("close", resolve));
}

/** Sends a form; returns the message shown. */
async function send({ to, body, headers }: Sent, browser: Browser, leavesAt?: (url: URL) => boolean): Promise<string> {
  const { "content-length": _length, ...rest } = headers;
  const page = await browser.copy(leavesAt).post(to, new Uint8Array(body), rest);
  return `${page.status} ${readNotices(page.text)}`.trim();
}

/** Notices of a page, or its title. */
function readNotices(text: string): string {
  const document = parseDocument(text);
  const main = DomUtils.getElementsByTagName("main", document, true);
  const notices = DomUtils.filter(
    (node) => "attribs" in node && ["alert", "status"].includes(node.attribs["role"] ?? ""),
    main,
  );
  const words = (nodes: typeof notices) =>
    nodes
      .map((one) => DomUtils.innerText(one).replaceAll(/\s+/g, " ").trim())
      .join(" ")
      .trim();
  return words(notices) || words(DomUtils.getElementsByTagName("title", document, true)).replace(/ · .*/, "");
}

export interface FoundForm {
  page: Visit;
  form: Element;
  /** Address that the form is posted to. */
  action: string;
}

/** Identifies a form by its target. */
export function formName(form: Element, action = form.attribs["action"] ?? ""): string {
  const path = action
    .replace(/\?.*/, "")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}|(?<=^\/oauth\/interaction\/)[^/]+/g, ":id");
  const protocol = readAllFields(form).find(({ name }) => name === "protocol")?.value;
  return protocol === undefined ? path : `${path} ${String(protocol)}`;
}

/** The forms of a page by name, one for each address that they are posted to. */
export function formsByName(page: Visit): [name: string, FoundForm][] {
  return findPostedForms(page).flatMap((form) =>
    listActions(form).map((action): [string, FoundForm] => [formName(form, action), { page, form, action }]),
  );
}

export interface FormExpectation {
  /** Values of fields, which may depend on the page. */
  fill?: Record<string, string> | ((page: Visit) => Record<string, string>);
  /** Tables that the first sending changes. */
  makes: string;
  /** Message after each further submission. */
  again: string;
  /** Tables changed by further submissions; none by default. */
  twice?: string;
  /** Addresses that a browser reports with status 0 instead of opening them. */
  leavesAt?: (url: URL) => boolean;
}

export type FormOutcome = Pick<FormExpectation, "makes" | "again" | "twice">;

/** Sends a form as its line says; returns the outcomes. */
export async function sendThreeTimes(
  found: FoundForm,
  line: FormExpectation,
  { browser, reader }: { browser: Browser; reader: Connection },
): Promise<FormOutcome> {
  const fill = typeof line.fill === "function" ? line.fill(found.page) : line.fill;
  const sent = await fillForm(found, fill ?? {});
  const before = rowsOf(reader, line.makes);
  await sendBroken(sent, browser);
  let after = before;
  for (let waited = 0; changed(before, after) !== line.makes && waited < 2000; waited += 20) {
    await sleep(20);
    after = rowsOf(reader, line.makes, true);
    after = changed(before, after) === line.makes ? rowsOf(reader, line.makes) : after;
  }
  const again = new Set(await Promise.all([1, 2].map(() => send(sent, browser, line.leavesAt))));
  const twice = changed(after, rowsOf(reader, line.makes));
  return { makes: changed(before, after), again: [...again].join(" or "), ...(twice !== "" && { twice }) };
}

/** A form on a page that is opened for it: the page, or its path. */
export type StateExpectation<Scene> = FormExpectation & {
  page: (s: Scene, browser: Browser) => Promise<string | Visit> | string;
};

/** Sends each form as its line says, each in a new browser; returns the outcomes. */
export async function sendEach<Scene>(
  s: Scene,
  expectations: Readonly<Record<string, StateExpectation<Scene>>>,
  how: { reader: Connection; baseUrl: string; openBrowser: () => Promise<Browser> | Browser },
): Promise<Record<string, FormOutcome>> {
  const outcomes: Record<string, FormOutcome> = {};
  for (const [name, line] of Object.entries(expectations)) {
    const browser = await how.openBrowser();
    const opened = await line.page(s, browser);
    const page = typeof opened === "string" ? await browser.get(new URL(opened, how.baseUrl)) : opened;
    const found = formsByName(page).find(([one]) => one === name)?.[1];
    if (!found) throw new Error(`no form ${name} at ${page.url.href}, which says ${page.status}`);
    outcomes[name] = await sendThreeTimes(found, line, { browser, reader: how.reader });
  }
  return outcomes;
}

/** The outcomes that the lines expect. */
export function expectedOutcomes(expectations: Readonly<Record<string, FormExpectation>>): Record<string, FormOutcome> {
  return Object.fromEntries(
    Object.entries(expectations).map(([name, { makes, again, twice }]) => [
      name,
      { makes, again, ...(twice !== undefined && { twice }) },
    ]),
  );
}
