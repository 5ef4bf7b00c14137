import type { CallToolResult } from "@modelcontextprotocol/server";
import { idsForNames } from "../../../call/name-ids.ts";
import { admitCall, invokeToSend } from "../../../call/invoke.ts";
import { JsonBytes } from "../../../reads/json-bytes.ts";
import { recordRefusal } from "../../../call/audit.ts";
import { pageOf } from "../features/resources.ts";
import { callConfirmed } from "./confirm.ts";
import type { Answered, CallContext, Fields, Serving, McpContext } from "../mcp-context.ts";
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

/** Runs a tool that asks its person nothing. */
export async function callPlain(mcp: McpContext, tool: Tool, given: Fields, serving: Serving): Promise<CallToolResult> {
  try {
    if (serving.refusal) throw serving.refusal;
    const { input, selection } = await checkedArguments(mcp, tool, given, serving);
    // An endpoint's output is an object: the table of tools is not made otherwise.
    const render = (output: unknown) => toolResult(tool, output as Fields, selection);
    const output = await invokeToSend(tool.endpoint, input, serving.call, mcp.deps, selection);
    const page = serving.takesLinks ? pageOf(tool.endpoint, input) : undefined;
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
