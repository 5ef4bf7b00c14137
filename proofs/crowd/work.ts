import { setTimeout as sleep } from "node:timers/promises";
import { bearer, readJson, post } from "./callers.ts";
import type { Crowded, Tenant } from "./service.ts";

/** Work in progress. */
export interface Progress {
  ended: Promise<void>;
  /** Stored answers at the last poll. */
  done: () => number;
  /** Milliseconds from the request to completion, or to the last poll. */
  ms: () => number;
  poll: () => Promise<void>;
  analysisId: () => Promise<string>;
}

type BaseUrl = Pick<Crowded, "baseUrl">;
const ENDED = new Set(["completed", "partial", "failed"]);

/** Creates an analysis whose collect sends this many prompts. */
export function collect(of: BaseUrl, tenant: Tenant, asking: Asking): Progress {
  return follow(of, tenant, async (began) => {
    const priced = await price(of, tenant, asking);
    began();
    return String((await create(of, tenant, priced))["id"]);
  });
}

interface Asking {
  name: string;
  keywords: number;
  sources: string[];
  runs: number;
  brandId: string;
}

async function price({ baseUrl }: BaseUrl, tenant: Tenant, { name, keywords, sources, runs, brandId }: Asking) {
  const texts = Array.from({ length: keywords }, (_, at) => ({ text: `${name} ${at}` }));
  const setup = {
    name,
    website: "https://acme.test",
    brand_id: brandId,
    sources,
    thematics: [{ name: "All", topics: [{ name: "All", keywords: texts }] }],
    runs_per_prompt: runs,
  };
  return readJson(post(`${baseUrl}${tenant.path}/search-analyses/price`, setup, bearer(tenant)));
}

function create({ baseUrl }: BaseUrl, tenant: Tenant, { quote_id }: Record<string, unknown>) {
  return readJson(post(`${baseUrl}${tenant.path}/search-analyses`, { quote_id, confirmed: true }, bearer(tenant)));
}

/** Imports answers into a new analysis, which sends one prompt itself. */
export function importLines(
  of: BaseUrl,
  tenant: Tenant,
  { lines, brandId }: { lines: number; brandId: string },
): Progress {
  return follow(of, tenant, async (began) => {
    const name = `imported ${++imports}`;
    const asking = { name, keywords: 1, sources: ["ASSISTANT_A"], runs: 1, brandId };
    const first = collect(of, tenant, asking);
    await first.ended;
    const id = await first.analysisId();
    began();
    const answer = await fetch(`${of.baseUrl}${tenant.path}/analyses/${id}/answers/import`, {
      method: "POST",
      headers: { "content-type": "application/x-ndjson", ...bearer(tenant) },
      body: ReadableStream.from(bodyOf(lines)),
      duplex: "half",
    });
    if (!answer.ok) throw new Error(`an import got ${answer.status}: ${await answer.text()}`);
    await answer.body?.cancel();
    return id;
  });
}

let imports = 0;
const RUNS = 50;
const SOURCES = ["ASSISTANT_A", "ASSISTANT_B", "SEARCH_A", "SEARCH_B"];

/** Answers of about a kilobyte that name brands of `addBrands` and cite two pages. */
function* bodyOf(lines: number): Iterable<Uint8Array> {
  const encoder = new TextEncoder();
  for (let at = 0; at < lines; at += 100) {
    const part = Array.from({ length: Math.min(100, lines - at) }, (_, index) => lineOf(at + index));
    yield encoder.encode(part.join(""));
  }
}

function lineOf(at: number): string {
  const [a, b, c] = [at % 5, (at + 2) % 5, (at + 3) % 5];
  const why = "It is well made, easy to set up, and people who compared several of them kept it for years. ";
  const text = `The best choice is Brand ${a} of 5. ${why.repeat(3)}Second comes Brand ${b} of 5. ${why.repeat(3)}Some prefer Brand ${c} of 5, as number ${at} of those asked did.`;
  const value = {
    keyword: `keyword ${Math.floor(at / SOURCES.length / RUNS)}`,
    source: SOURCES[at % SOURCES.length],
    run: (Math.floor(at / SOURCES.length) % RUNS) + 1,
    text,
    citations: [{ url: `https://brand-${a}.test/page-${at % 100}` }, { url: `https://review-${at % 37}.test/` }],
  };
  return `${JSON.stringify(value)}\n`;
}

/** Polls the newest collect of the analysis that `begin` creates. */
function follow(of: BaseUrl, tenant: Tenant, begin: (began: () => void) => Promise<string>): Progress {
  let [began, seen, done] = [performance.now(), 0, 0];
  const analysisId = begin(() => (began = performance.now()));
  /** True if it has ended. */
  const look = async (): Promise<boolean> => {
    const collects = `${of.baseUrl}${tenant.path}/analyses/${await analysisId}/collects`;
    const { data } = await readJson(fetch(collects, { headers: bearer(tenant) }));
    const [newest] = (data as CollectSeen[]).toSorted((a, b) => b.number - a.number);
    [seen, done] = [performance.now(), newest?.succeeded ?? 0];
    return newest !== undefined && ENDED.has(newest.status);
  };
  // Large work takes minutes, so it is polled rarely to add no load.
  const follows = async () => {
    while (!(await look())) await sleep(performance.now() - began < 5000 ? 20 : 1000);
  };
  const ended = follows();
  return {
    ended,
    analysisId: () => analysisId,
    done: () => done,
    ms: () => seen - began,
    async poll() {
      await Promise.race([ended, look()]);
    },
  };
}

interface CollectSeen {
  number: number;
  status: string;
  succeeded: number;
}

export async function addWorkspace({ baseUrl }: BaseUrl, tenant: Tenant, name: string): Promise<Tenant> {
  const workspaces = `${baseUrl}/v1/organizations/${tenant.organizationId}/workspaces`;
  const { id } = await readJson(post(workspaces, { name }, bearer(tenant)));
  return {
    ...tenant,
    workspaceId: String(id),
    path: `/v1/organizations/${tenant.organizationId}/workspaces/${String(id)}`,
  };
}

/** Adds unrelated brands and returns the id of the first. */
export async function addBrands(of: BaseUrl, tenant: Tenant, count: number): Promise<string> {
  let first = "";
  for (let at = 0; at < count; at++) {
    const relationship = at === 0 ? "mine" : "other";
    const brand = { name: `Brand ${at} of ${count}`, domains: [`brand-${at}.test`], relationship };
    const id = await addBrand(of, tenant, brand);
    if (at === 0) first = id;
  }
  return first;
}

/** Returns the brand's id. */
export async function addBrand({ baseUrl }: BaseUrl, tenant: Tenant, brand: object): Promise<string> {
  return String((await readJson(post(`${baseUrl}${tenant.path}/brands`, brand, bearer(tenant))))["id"]);
}
