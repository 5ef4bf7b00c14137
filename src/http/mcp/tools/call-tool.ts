import { SERVER_INFO_META_KEY, type CallToolResult, type JSONRPCRequest } from "@modelcontextprotocol/server";
import { reads } from "../../../../tools/endpoint.ts";
import { idsForNames } from "../../../call/ids-for-names.ts";
import { admitCall, invokeToSend } from "../../../call/invoke.ts";
import { JsonBytes } from "../../../reads/json-bytes.ts";
import { recordRefusal } from "../../../call/record-call.ts";
import { pageOf } from "../features/resources.ts";
import { callConfirmed } from "./confirm.ts";
import {
  isFields,
  type Answered,
  type CallContext,
  type Fields,
  type Serving,
  type McpContext,
} from "../mcp-context.ts";
import { readArguments } from "./tool-arguments.ts";
import { toolRefusal } from "./tool-errors.ts";
import { toolResult } from "./tool-result.ts";
import type { Tool } from "./tool-table.ts";
import { restArguments, strangeArguments } from "./tool-words.ts";

/** Runs one tool. What is refused is a result too, for the model to read. */
export async function callTool(mcp: McpContext, tool: Tool, given: Fields, at: CallContext): Promise<Answered> {
  if (!tool.endpoint.present) return callPlain(mcp, tool, given, at.serving);
  try {
    if (at.serving.refusal) throw at.serving.refusal;
    const { input } = await checkedArguments(mcp, tool, given, at.serving);
    return await callConfirmed(mcp, tool, input, at);
  } catch (error) {
    return refusal(mcp, tool, at.serving, error);
  }
}

/**
 * The JSON that answers a call that only reads, without the SDK's server, which costs as much as all the rest of such a call: it has
 * nothing to ask, to report or to carry on. Null for every other message, and for parameters that are not plain; those
 * are the server's to answer. The result is the one that the server sends (2026-07-28, basic: `resultType` and identity).
 */
export function answerRead(
  mcp: McpContext,
  { method, params }: JSONRPCRequest,
  serving: Serving,
  revision: string | null,
): Promise<string> | null {
  if (method !== "tools/call" || params === undefined) return null;
  const { name, arguments: given = {}, _meta: meta = {}, ...more } = params;
  const tool = typeof name === "string" ? serving.view.tools.get(name) : undefined;
  if (!tool || !reads(tool.endpoint) || !isFields(given) || !isFields(meta)) return null;
  if (Object.keys(more).length > 0) return null;
  const identity = { [SERVER_INFO_META_KEY]: mcp.serverInfo };
  const beside = revision === null ? {} : { resultType: "complete", _meta: identity };
  return shownResult(mcp, tool, given, serving).then((result) => jsonWith(result, beside));
}

/** The JSON of a result with fields beside it. One that is JSON already is not read for that. */
function jsonWith(result: CallToolResult | JsonBytes, beside: Fields): string {
  if (!(result instanceof JsonBytes)) return JSON.stringify({ ...result, ...beside });
  const [text, more] = [result.text(), JSON.stringify(beside).slice(1)];
  // A result is an object that is not empty.
  return more === "}" ? text : `${text.slice(0, -1)},${more}`;
}

/** Runs a tool that asks its person nothing. */
export async function callPlain(mcp: McpContext, tool: Tool, given: Fields, serving: Serving): Promise<CallToolResult> {
  const result = await shownResult(mcp, tool, given, serving);
  // It is the JSON of what `toolResult` gave.
  return result instanceof JsonBytes ? (result.value() as CallToolResult) : result;
}

async function shownResult(
  mcp: McpContext,
  tool: Tool,
  given: Fields,
  serving: Serving,
): Promise<CallToolResult | JsonBytes> {
  try {
    if (serving.refusal) throw serving.refusal;
    const { input, selection } = await checkedArguments(mcp, tool, given, serving);
    // An endpoint's output is an object: the table of tools is not made otherwise.
    const render = (output: unknown) => toolResult(tool, output as Fields, selection);
    const output = await invokeToSend(tool.endpoint, input, serving.call, mcp.deps, { selection, render });
    const page = serving.takesLinks ? pageOf(tool.endpoint, input) : undefined;
    if (output instanceof JsonBytes && !page) return output;
    const result = output instanceof JsonBytes ? (output.value() as CallToolResult) : render(output);
    return page ? { ...result, content: [...result.content, page] } : result;
  } catch (error) {
    return refusal(mcp, tool, serving, error);
  }
}

/**
 * Arguments that are rejected before the endpoint is called leave an audit row like every other call. The call is admitted before the
 * error is made.
 */
async function checkedArguments(mcp: McpContext, tool: Tool, said: Fields, { call }: Serving) {
  const { endpoint, listed } = tool;
  const given = await idsForNames(endpoint, restArguments(endpoint, said), call, mcp.deps);
  let makeError: (() => unknown) | undefined;
  makeError = strangeArguments(endpoint, Object.keys(listed.inputSchema.properties ?? {}), said);
  try {
    if (!makeError) return readArguments(tool, given);
  } catch (error) {
    makeError = () => error;
  }
  await admitCall(endpoint, given, call, mcp.deps);
  const error = makeError();
  recordRefusal(endpoint, given, call, mcp.deps, error);
  throw error;
}

function refusal(mcp: McpContext, tool: Tool, { call }: Serving, error: unknown): CallToolResult {
  return toolRefusal(error, tool, { names: mcp.table.names, requestId: call.requestId, log: mcp.log });
}
