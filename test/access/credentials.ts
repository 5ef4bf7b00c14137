import { createOAuthClient, signedInBrowser } from "../support/assistant.ts";
import type { Person, world } from "../support/world.ts";

type World = Awaited<ReturnType<typeof world>>;

/** Status of a tool call with this token. */
export async function toolCallStatus(w: World, token: string): Promise<number> {
  const response = await fetch(w.config.mcpUrl, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_me", arguments: {} } }),
  });
  await response.text();
  return response.status;
}

/**
 * A browser, an assistant, a user key and an organization key of one person, and their current
 * access.
 */
export async function openCredentials(
  w: World,
  { email, accessToken, post }: Pick<Person, "email" | "accessToken" | "post">,
  organizationId: string,
) {
  const browser = await signedInBrowser(w, email);
  const client = await createOAuthClient(w);
  const { body: tokens } = await client.connect({ email });
  const wanted = { name: "ci", kind: "organization", organization_id: organizationId, role: "viewer" };
  const made = await post("/v1/api-keys", wanted);
  const key = await w.request("POST", "/v1/auth/token", { body: { api_key: made.body.api_key } });
  const rest = async (token: string) =>
    (await w.request("GET", "/v1/organizations", { headers: { authorization: `Bearer ${token}` } })).status;
  return async () => ({
    browser: (await browser.get(`${w.config.baseUrl}/organizations`)).url.pathname,
    assistant: await toolCallStatus(w, tokens.access_token as string),
    assistantAgain: (await client.refresh(tokens.refresh_token as string)).status,
    userKey: await rest(accessToken),
    organizationKey: await rest(key.body.access_token as string),
  });
}

/** Results of `openCredentials` with and without access. */
export const ALL_WORKING = {
  browser: "/organizations",
  assistant: 200,
  assistantAgain: 200,
  userKey: 200,
  organizationKey: 200,
};
export const NONE_WORKING = {
  browser: "/sign-in",
  assistant: 401,
  assistantAgain: 400,
  userKey: 401,
  organizationKey: 401,
};
