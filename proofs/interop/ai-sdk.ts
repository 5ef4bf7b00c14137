import { MemoryAuthorization } from "../../examples/memory-authorization.ts";
import { signInThroughPages } from "../../test/main-job/main-job.ts";
import type { ToolAnswer } from "../../test/support/tool-client.ts";
import { scriptOf } from "./tools.ts";

/** The used part of `@ai-sdk/mcp`; its types exist only when it is installed. */
interface AiSdk {
  createMCPClient(of: { transport: { type: "http"; url: string; authProvider: MemoryAuthorization } }): Promise<{
    callTool(of: { name: string; arguments: Record<string, unknown> }): Promise<{
      content: { text?: string }[];
      structuredContent?: unknown;
      isError?: boolean;
    }>;
    close(): Promise<void>;
  }>;
  auth(
    provider: MemoryAuthorization,
    at: { serverUrl: string; authorizationCode?: string; callbackState?: string; callbackIssuer?: string },
  ): Promise<"AUTHORIZED" | "REDIRECT">;
}

const CALLBACK = "http://127.0.0.1:43121/callback";

/** The AI SDK's client, signed in by its own means. */
export async function openAiSdk(url: string) {
  // The package is installed on demand, so its types are asserted.
  const sdk = (await import(scriptOf("@ai-sdk/mcp/dist/index.js"))) as AiSdk;
  const authProvider = new MemoryAuthorization("AI SDK assistant", CALLBACK);
  const first = await sdk.auth(authProvider, { serverUrl: url });
  if (first !== "REDIRECT" || !authProvider.address) throw new Error(`The first step of sign-in gave ${first}.`);
  const back = await signInThroughPages(authProvider.address, CALLBACK);
  const second = await sdk.auth(authProvider, {
    serverUrl: url,
    authorizationCode: back.get("code") ?? "",
    callbackState: back.get("state") ?? "",
    callbackIssuer: back.get("iss") ?? "",
  });
  if (second !== "AUTHORIZED") throw new Error(`The second step of sign-in gave ${second}.`);
  const client = await sdk.createMCPClient({ transport: { type: "http", url, authProvider } });
  return {
    async call(name: string, given: Record<string, unknown>): Promise<ToolAnswer> {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
      return { text: content[0]?.text ?? "", isError: isError === true, structured: structuredContent };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}
