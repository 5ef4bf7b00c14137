import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { setupOf, TESTED_KINDS, type TestedKind } from "../analyses/analysis-setups.ts";
import { signedInBrowser } from "../support/assistant.ts";
import { mintToolToken } from "../support/tool-token.ts";
import { world } from "../support/world.ts";

const [SEARCH] = TESTED_KINDS as [TestedKind];

/** Calls of a client that can open pages, in an organization that requires approval. */
async function scene(
  elicitation: Record<string, Record<string, never>>,
  answer: (approve: () => Promise<unknown>) => Promise<"accept" | "decline">,
) {
  const w = await world();
  const { owner, organization, workspace } = await w.acme();
  await owner.patch(organization.path, { approval_above_credits: 1 });
  const [own, rival] = [
    await owner.post(`${workspace.path}/brands`, { name: "Acme", relationship: "mine" }),
    await owner.post(`${workspace.path}/brands`, { name: "Bravo" }),
  ];
  const ids = { organization: organization.id, workspace: workspace.id };
  const { token } = await mintToolToken(w, owner);
  const client = new Client(
    { name: "test", version: "1" },
    { capabilities: { elicitation }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const asked: unknown[] = [];
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    asked.push(params.mode === "url" ? { url: params.url, message: params.message } : "form");
    if (params.mode !== "url") return { action: "accept", content: {} };
    const browser = await signedInBrowser(w, owner.email);
    const page = await browser.get(params.url);
    return {
      action: await answer(() => browser.submit(page, { action: /^\/approve/, press: ["decision", "approve"] })),
    };
  });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(w.config.mcpUrl), { requestInit }));
  const setup = setupOf(SEARCH, { own: own.body.id, rival: rival.body.id });
  const priced = await client.callTool({ name: "price_search_analysis", arguments: { ...ids, ...setup } });
  const quote_id = String((priced.structuredContent as Record<string, unknown>)["quote_id"]);
  const url = `${w.config.baseUrl}/approve/${quote_id}`;
  return {
    asked,
    url,
    page: { url, message: "Approve this cost in the browser, then continue here." },
    create: () =>
      client.callTool({
        name: "create_search_analysis",
        arguments: { ...ids, quote_id, ...(!("form" in elicitation) && { confirmed: true }) },
      }),
    async [Symbol.asyncDispose]() {
      await client.close();
      await w[Symbol.asyncDispose]();
    },
  };
}

const approves = async (approve: () => Promise<unknown>) => {
  await approve();
  return "accept" as const;
};

test("a client that opens pages is sent to the approval page, and creates after the approval", async () => {
  await using s = await scene({ url: {} }, approves);
  expect(await s.create()).toMatchObject({ structuredContent: { name: "Phones", status: "launching" } });
  expect(s.asked).toEqual([s.page]);
});

test("a client that opens pages and shows forms asks in both", async () => {
  await using s = await scene({ url: {}, form: {} }, approves);
  expect(await s.create()).toMatchObject({ structuredContent: { name: "Phones", status: "launching" } });
  expect(s.asked).toEqual([s.page, "form"]);
});

test.each([
  ["declines to open the page", async () => "decline" as const],
  ["opens it and does not approve", async () => "accept" as const],
])("a person who %s has approved nothing, and is asked once", async (_what, answer) => {
  await using s = await scene({ url: {} }, answer);
  const { isError, content } = await s.create();
  expect([isError, content]).toEqual([
    true,
    [
      {
        type: "text",
        text: JSON.stringify({
          code: "APPROVAL_REQUIRED",
          message: `A person must approve this at ${s.url}`,
          retryable: false,
          hint: "Give the person the address. Nothing is created or spent until they approve.",
        }),
      },
    ],
  ]);
  expect(s.asked).toEqual([s.page]);
});
