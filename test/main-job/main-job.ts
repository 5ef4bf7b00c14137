import { setTimeout as sleep } from "node:timers/promises";
import { Browser } from "../../examples/browser.ts";
import type { MemoryAuthorization } from "../../examples/memory-authorization.ts";
import type { ToolAnswer, ToolClient } from "../support/tool-client.ts";

/** Environment of a service with the demo and one person who can sign in. */
export const EMAIL = "you@example.test";
export const SECRET = "correct horse battery";
export const MAIN_JOB_ENV = {
  DEMO: "1",
  SERVE: "core,search,mcp,web,worker",
  BOOTSTRAP_EMAIL: EMAIL,
  BOOTSTRAP_PASSWORD: SECRET,
};

export type CallTool = (name: string, given: Record<string, unknown>) => Promise<ToolAnswer>;

export interface MainJobResult {
  brands: string[];
  /** Ranks of the own brand, by keyword. */
  keywords: number;
  spentCredits: number;
}

/**
 * The main job of an assistant: find the workspace, price, confirm and create a search analysis,
 * wait for its collect, and read visibility. `confirmed` is sent by clients that cannot ask their
 * person.
 */
export async function mainJob(call: CallTool, given: { confirmed?: true } = {}): Promise<MainJobResult> {
  const read = async (name: string, input: Record<string, unknown>) => {
    const { isError, text, structured } = await call(name, input);
    if (isError) throw new Error(`${name}: ${text}`);
    return structured;
  };
  const { data: workspaces } = await read("list_workspaces", {});
  const demo = workspaces.find((workspace: { name: string }) => workspace.name === "Espresso machines");
  const ids = { organization: demo.organization_id, workspace: demo.id };
  const { data: brands } = await read("list_brands", ids);
  const own = brands.find((brand: { relationship: string }) => brand.relationship === "mine");
  const quote = await read("price_search_analysis", {
    ...ids,
    name: "Travel espresso",
    website: "https://kestrova.example",
    brand: own.name,
    sources: ["SEARCH_A", "ASSISTANT_A"],
    thematics: [
      { name: "Travel", topics: [{ name: "Small kitchens", keywords: [{ text: "best travel espresso machine" }] }] },
    ],
    runs_per_prompt: 3,
  });
  const created = await read("create_search_analysis", { ...ids, quote_id: quote.quote_id, ...given });
  await waitForCollect(read, { ...ids, analysis: created.id });
  // The result has a resource link, unknown to some clients.
  const { name } = await read("get_analysis", { ...ids, analysis: created.name });
  if (name !== "Travel espresso") throw new Error(`get_analysis gave ${String(name)}.`);
  const { organization } = ids;
  const top = await read("list_top_brands", { organization, analysis: created.id });
  const keywords = await read("list_keywords_metrics", { organization, analysis: created.id });
  const { data: ledger } = await read("list_credit_ledger", {
    organization,
    fields: ["kind", "analysis_id", "reserved_delta"],
  });
  return {
    brands: top.data.map((row: { brand: string }) => row.brand),
    keywords: keywords.total_count,
    spentCredits: ledger
      .filter(
        (entry: { kind: string; analysis_id: string }) => entry.kind === "spend" && entry.analysis_id === created.id,
      )
      .reduce((sum: number, entry: { reserved_delta: number }) => sum - entry.reserved_delta, 0),
  };
}

async function waitForCollect(
  read: (name: string, input: Record<string, unknown>) => Promise<{ data: { status: string }[] }>,
  ids: Record<string, string>,
): Promise<void> {
  for (let turn = 0; turn < 300; turn++) {
    const { data } = await read("list_collects", ids);
    if (data.length > 0 && data.every(({ status }) => status === "completed")) return;
    await sleep(100);
  }
  throw new Error("The collect did not end.");
}

/** Signs in on the pages opened by a client's first tool call; returns the callback parameters. */
export async function signInThroughPages(address: URL, redirectUrl: string): Promise<URLSearchParams> {
  const browser = new Browser((url) => url.href.startsWith(redirectUrl));
  const signIn = await browser.get(address);
  const consent = await browser.submit(signIn, { action: /\/sign-in$/, fill: { email: EMAIL, password: SECRET } });
  const back = await browser.submit(consent, { action: /\/consent$/, press: ["decision", "allow"] });
  return back.url.searchParams;
}

/** Sign-in of a client, from the rejected first call to tokens in `authorization`. */
export async function signInBy(client: ToolClient, authorization: MemoryAuthorization): Promise<void> {
  const refused = await client.call("list_workspaces").then(
    () => "answered",
    (error: unknown) => (error instanceof Error ? error.constructor.name : String(error)),
  );
  if (refused !== "UnauthorizedError" || !authorization.address) throw new Error(`The first call was ${refused}.`);
  await client.finishSignIn(await signInThroughPages(authorization.address, authorization.redirectUrl));
}
