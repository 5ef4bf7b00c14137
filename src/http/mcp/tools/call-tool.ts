import type { CallToolResult } from "@modelcontextprotocol/server";
import { idsForNames } from "../../../call/parse-input.ts";
import { admitCall, invokeToSend } from "../../../call/invoke.ts";
import { JsonBytes } from "../../../reads/json-bytes.ts";
import { recordRefusal } from "../../../call/audit.ts";
import { RESOURCE_LINKS } from "../features/resources.ts";
import { callConfirmed } from "./confirm.ts";
import type { Answered, CallContext, Fields, Serving, McpContext } from "../mcp-context.ts";
import { readArguments } from "./tool-arguments.ts";
import { toolRefusal } from "./tool-errors.ts";
import { toolResult } from "./tool-result.ts";
import type { Tool } from "./tool-table.ts";
import { restArguments, strangeArguments } from "./tool-words.ts";

/** Runs a tool; errors become results for the model. */
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

/** Runs a tool without asking the person. */
export async function callPlain(mcp: McpContext, tool: Tool, given: Fields, serving: Serving): Promise<CallToolResult> {
  try {
    if (serving.refusal) throw serving.refusal;
    const { input, selection } = await checkedArguments(mcp, tool, given, serving);
    // Checked when the table is built: outputs are objects.
    const render = (output: unknown) => toolResult(tool, output as Fields, selection);
    const output = await invokeToSend(tool.endpoint, input, serving.call, mcp.deps, selection);
    const page = serving.takesLinks ? RESOURCE_LINKS.get(tool.endpoint)?.(input) : undefined;
    const result = output instanceof JsonBytes ? (output.value() as CallToolResult) : render(output);
    return page ? { ...result, content: [...result.content, page] } : result;
  } catch (error) {
    return refusal(mcp, tool, serving, error);
  }
}

/**
 * Parses arguments. Rejected arguments also leave an audit row, so the call is admitted before the
 * error is created.
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
