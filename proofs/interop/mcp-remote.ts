import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import type { ToolAnswer } from "../../test/support/tool-client.ts";
import { openHome } from "./home.ts";
import { NODE, scriptOf } from "./tools.ts";

const SIGN_IN_MS = 60_000;

/** mcp-remote between a stdio client and our address; it signs in at the start. */
export async function openMcpRemote(url: string) {
  const home = await openHome("mcp-remote");
  const client = new Client({ name: "interop", version: "1" });
  const transport = new StdioClientTransport({
    command: NODE,
    args: [scriptOf("mcp-remote/dist/proxy.js"), url, "--allow-http"],
    env: { ...home.env, MCP_REMOTE_CONFIG_DIR: join(home.dir, ".mcp-auth") },
    stderr: "pipe",
  });
  let said = "";
  transport.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()));
  try {
    await client.connect(transport, { timeout: SIGN_IN_MS });
  } catch (error) {
    await transport.close();
    await home[Symbol.asyncDispose]();
    throw new Error(`mcp-remote did not connect:\n${said.slice(-1500)}`, { cause: error });
  }
  return {
    async call(name: string, given: Record<string, unknown>): Promise<ToolAnswer> {
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: given });
      const [first] = content as { text?: string }[];
      return { text: first?.text ?? "", isError: isError === true, structured: structuredContent };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await home[Symbol.asyncDispose]();
    },
  };
}
