import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { MemoryAuthorization } from "../../examples/memory-authorization.ts";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";

/** A tool result as the client received it. */
export interface ToolAnswer {
  text: string;
  isError: boolean;
  /** Resources that the result links to; undefined if the client hides them. */
  links?: { type: string; uri: string; name: string; mimeType?: string }[];
  // oxlint-disable-next-line typescript/no-explicit-any -- a test states the shape that it expects of a result
  structured: any;
}

/** The calls that both SDKs share. */
interface Sdk {
  /* oxlint-disable typescript/no-explicit-any -- a test states the shape that it expects of an answer */
  listPrompts(): Promise<any>;
  getPrompt(of: { name: string; arguments?: Record<string, string> }): Promise<any>;
  listResources(): Promise<any>;
  listResourceTemplates(): Promise<any>;
  readResource(of: { uri: string }): Promise<any>;
  complete(of: {
    ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
    argument: { name: string; value: string };
    context?: { arguments?: Record<string, string> };
  }): Promise<any>;
  /* oxlint-enable typescript/no-explicit-any */
}

/** A real client that is connected to the tool server. */
export interface ToolClient {
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  // oxlint-disable-next-line typescript/no-explicit-any -- both SDKs have a type of their own for a listed tool
  list(): Promise<any[]>;
  /** Questions that the client was asked to show. */
  asked: string[];
  sdk: Sdk;
  protocol(): string | undefined;
  capabilities(): { resources?: object | undefined } | undefined;
  /** Completes sign-in with the callback's parameters, after a call that required sign-in. */
  finishSignIn(callback: URLSearchParams): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface ToolClientOptions {
  token?: string;
  /** Signs in on the server's request, without a preset token. */
  authorization?: MemoryAuthorization;
  /** The person's answer to a form; without it the client declares no support for forms. */
  person?: (message: string) => "accept" | "decline" | "cancel";
}

const INFO = { name: "test", version: "1" };

/** Every client that the tool server supports, by its name in test titles. */
export const CLIENTS: Record<string, (url: string, options?: ToolClientOptions) => Promise<ToolClient>> = {
  "SDK 2, auto": (url, options) => newClient(url, "auto", options),
  "SDK 2, 2026-07-28": (url, options) => newClient(url, { pin: "2026-07-28" }, options),
  "SDK 2, 2025 era": (url, options) => newClient(url, "legacy", options),
  "SDK 1": oldClient,
};

async function newClient(
  url: string,
  mode: "auto" | "legacy" | { pin: string },
  options: ToolClientOptions = {},
): Promise<ToolClient> {
  const { person } = options;
  const capabilities = person ? { elicitation: {} } : {};
  const client = new NewClient(INFO, { capabilities, versionNegotiation: { mode } });
  const asked: string[] = [];
  if (person) {
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      const action = person(params.message);
      return action === "accept" ? { action, content: {} } : { action };
    });
  }
  const transport = new NewTransport(new URL(url), {
    requestInit: { headers: headersOf(options) },
    ...(options.authorization ? { authProvider: options.authorization } : {}),
  });
  await client.connect(transport);
  return {
    call: async (name, given = {}) => answerOf(await client.callTool({ name, arguments: given })),
    list: async () => (await client.listTools()).tools,
    asked,
    sdk: client,
    protocol: () => client.getNegotiatedProtocolVersion(),
    capabilities: () => client.getServerCapabilities(),
    finishSignIn: (callback) => transport.finishAuth(callback),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export async function oldClient(url: string, options: ToolClientOptions = {}): Promise<ToolClient> {
  const { person } = options;
  const client = new OldClient(INFO, { capabilities: person ? { elicitation: {} } : {} });
  const asked: string[] = [];
  if (person) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      asked.push(params.message);
      const action = person(params.message);
      return action === "accept" ? { action, content: {} } : { action };
    });
  }
  const transport = new OldTransport(new URL(url), {
    requestInit: { headers: headersOf(options) },
    ...(options.authorization ? { authProvider: options.authorization } : {}),
  });
  await client.connect(transport);
  return {
    call: async (name, given = {}) => answerOf(await client.callTool({ name, arguments: given })),
    list: async () => (await client.listTools()).tools,
    asked,
    sdk: client,
    protocol: () => transport.protocolVersion,
    capabilities: () => client.getServerCapabilities(),
    finishSignIn: (callback) => transport.finishAuth(callback.get("code") ?? ""),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

function headersOf({ token }: ToolClientOptions): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function answerOf(result: Record<string, unknown>): ToolAnswer {
  const [first, ...links] = result["content"] as [{ text?: string }, ...NonNullable<ToolAnswer["links"]>];
  return {
    text: first.text ?? "",
    isError: result["isError"] === true,
    links,
    structured: result["structuredContent"],
  };
}
