import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { pino } from "pino";
import { readConfig } from "../src/config/config.ts";
import { startService } from "../src/service.ts";
import { Browser } from "./browser.ts";
import { MemoryAuthorization } from "./memory-authorization.ts";

// Runs the main workflow through a real client: sign-in, price, confirmation, run, metrics.

const CALLBACK = "http://127.0.0.1:43118/callback";
const EMAIL = "you@example.test";
const say = (text: string) => process.stdout.write(`${text}\n`);
const indented = (text: string) => text.replaceAll(/^/gm, "    ");

export async function runDemo(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "visibility-demo-"));
  const password = randomBytes(12).toString("base64url");
  const environment = readConfig({
    PORT: "0",
    DATA_DIR: folder,
    LOG_LEVEL: "error",
    BOOTSTRAP_EMAIL: EMAIL,
    BOOTSTRAP_PASSWORD: password,
  });
  const service = await startService(environment, { log: pino({ level: "error" }) });
  try {
    await mainJob(service.config.mcpUrl, password);
    say("\nDone. Start the service and connect your own assistant to do the same.");
  } finally {
    await service.close();
    await rm(folder, { recursive: true });
  }
}

async function mainJob(mcpUrl: string, password: string): Promise<void> {
  say(`The demo server runs at ${mcpUrl}. Its answers are simulated; no provider is called.\n`);
  const authorization = new MemoryAuthorization("Demo assistant", CALLBACK);
  await signIn(mcpUrl, authorization, password);

  const client = newClient();
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: authorization }));
  const call = caller(client);
  const { data: workspaces } = await call<List<Workspace>>("list_workspaces", {});
  const workspace = named(workspaces, "Espresso machines");
  const ids = { organization: workspace.organization_id, workspace: workspace.name };
  const { data: brands } = await call<List<Brand>>("list_brands", ids);
  const own = named(brands, "Kestrova");
  const quote = await call<{ quote_id: string }>("price_search_analysis", {
    ...ids,
    name: "Travel espresso",
    website: "https://kestrova.example",
    brand: own.name,
    competitors: brands.filter((brand) => brand.name !== own.name).map((brand) => brand.name),
    sources: ["SEARCH_A", "SEARCH_A_AIO", "ASSISTANT_A", "ASSISTANT_B"],
    thematics: [
      {
        name: "Travel",
        topics: [
          {
            name: "Small kitchens",
            keywords: [
              { text: "best travel espresso machine", funnel_stage: "ToFu" },
              { text: "lightest espresso machine for camping", funnel_stage: "MoFu" },
              { text: "espresso machine that fits a camper van", funnel_stage: "BoFu" },
            ],
          },
        ],
      },
    ],
    runs_per_prompt: 3,
  });
  const analysis = await call<{ id: string }>("create_search_analysis", { ...ids, quote_id: quote.quote_id });
  await collected(client, { ...ids, analysis: analysis.id });
  const measured = { organization: ids.organization, analysis: analysis.id };
  await call("list_top_brands", { ...measured, limit: 10 });
  await call("list_keywords_metrics", { ...measured, sources: ["Bing", "ChatGPT"], thematics: ["Travel"] });
  await call("get_credits", { organization: ids.organization });
  await client.close();
}

/** Supports elicitation and accepts every form on behalf of the person. */
function newClient(): Client {
  const client = new Client(
    { name: "demo-assistant", version: "1.0.0" },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: "auto" } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    say(`\n  The assistant shows the person:\n${indented(params.message)}\n\n  The person accepts.`);
    return { action: "accept", content: {} };
  });
  return client;
}

/**
 * The first tool call is rejected, the person signs in and consents in the browser, and the client
 * receives its tokens.
 */
async function signIn(mcpUrl: string, authorization: MemoryAuthorization, password: string): Promise<void> {
  const client = newClient();
  const transport = new StreamableHTTPClientTransport(new URL(mcpUrl), { authProvider: authorization });
  await client.connect(transport);
  const { tools } = await client.listTools();
  say(
    `Connected without signing in: ${tools.length} tools, ${client.getNegotiatedProtocolVersion() ?? "no"} protocol.`,
  );
  try {
    await client.callTool({ name: "list_workspaces", arguments: {} });
    throw new Error("The first call succeeded without sign-in.");
  } catch (error) {
    if (!(error instanceof UnauthorizedError) || !authorization.address) throw error;
  }
  say("The first call needs the person: the assistant opens the browser.");
  const browser = new Browser((url) => url.href.startsWith(CALLBACK));
  const signInPage = await browser.get(authorization.address);
  const consent = await browser.submit(signInPage, { action: /\/sign-in$/, fill: { email: EMAIL, password } });
  const back = await browser.submit(consent, { action: /\/consent$/, press: ["decision", "allow"] });
  await transport.finishAuth(back.url.searchParams);
  say(`Signed in as ${EMAIL}, and allowed the assistant to act.`);
  await client.close();
}

function caller(client: Client) {
  return async <T>(name: string, given: Record<string, unknown>): Promise<T> => {
    say(`\n→ ${name} ${JSON.stringify(given)}`);
    const result = await client.callTool({ name, arguments: given });
    const text = result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    if (result.isError) throw new Error(`${name} failed: ${text}`);
    say(indented(text));
    // The client has validated the result against the tool's output schema.
    return result.structuredContent as T;
  };
}

async function collected(client: Client, ids: Record<string, string>): Promise<void> {
  say("\n→ list_collects, until the run finishes");
  for (let turn = 0; turn < 600; turn++) {
    const result = await client.callTool({ name: "list_collects", arguments: ids });
    const { data } = result.structuredContent as List<Collect>;
    const [collect] = data;
    if (collect) say(`    ${collect.status}: ${collect.succeeded} of ${collect.planned} answered`);
    if (collect && !["queued", "running"].includes(collect.status)) return;
    await sleep(200);
  }
  throw new Error("The run did not finish within two minutes.");
}

function named<T extends { name: string }>(rows: T[], name: string): T {
  const row = rows.find((candidate) => candidate.name === name);
  if (!row) throw new Error(`There is no ${name}.`);
  return row;
}

interface List<T> {
  data: T[];
}
interface Workspace {
  id: string;
  organization_id: string;
  name: string;
}
interface Brand {
  id: string;
  name: string;
}
interface Collect {
  status: string;
  planned: number;
  succeeded: number;
}
