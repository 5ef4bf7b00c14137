import type { CallToolResult } from "@modelcontextprotocol/server";
import { isReadEndpoint } from "../../../../tools/endpoint.ts";
import { nameCandidates, resolveArguments } from "../../../call/call-targets.ts";
import { admitCall, invokeEncoded } from "../../../call/invoke.ts";
import { JsonBytes } from "../../../reads/json-bytes.ts";
import { recordFailedCall } from "../../../call/audit.ts";
import { NotedOutput } from "../../../call/run-read.ts";
import { linkResources } from "../features/resources.ts";
import type { Call } from "../../../call/deps.ts";
import { callConfirmed } from "./confirm.ts";
import type { ToolAnswer, CallContext, Fields, Serving, McpContext } from "../mcp-context.ts";
import { normaliseArguments, readArguments } from "./tool-arguments.ts";
import { buildToolErrorResult } from "./tool-errors.ts";
import { buildToolResult } from "./tool-result.ts";
import type { Tool } from "./tool-table.ts";
import { findInvalidArguments, toRestArguments } from "./tool-parameter-names.ts";

/** Runs a tool; errors become results for the model. */
export async function callTool(mcp: McpContext, tool: Tool, given: Fields, at: CallContext): Promise<ToolAnswer> {
  if (!tool.endpoint.present) return callPlain(mcp, tool, given, at.serving);
  try {
    if (at.serving.callError) throw at.serving.callError;
    const { input, selection } = await checkArguments(mcp, tool, given, at.serving);
    return await callConfirmed(mcp, tool, input, { ...at, selection });
  } catch (error) {
    return toErrorResult(mcp, tool, given, at.serving, error);
  }
}

export async function callPlain(mcp: McpContext, tool: Tool, given: Fields, serving: Serving): Promise<CallToolResult> {
  try {
    if (serving.callError) throw serving.callError;
    const { input, selection } = await checkArguments(mcp, tool, given, serving);
    const answer = await invokeEncoded(tool.endpoint, input, serving.call, mcp.deps, selection);
    const { output, notes } = answer instanceof NotedOutput ? answer : new NotedOutput(answer, []);
    // Safe: outputs are objects, as checked when the table is built.
    const result =
      output instanceof JsonBytes
        ? (output.value() as CallToolResult)
        : buildToolResult(tool, output as Fields, selection, notes);
    const links = serving.supportsLinks ? linkResources(tool.endpoint, input, output) : [];
    return links.length > 0 ? { ...result, content: [...result.content, ...links] } : result;
  } catch (error) {
    return toErrorResult(mcp, tool, given, serving, error);
  }
}

/**
 * Parses arguments. Rejected arguments also leave an audit row, so the call is admitted before the
 * error is created.
 */
async function checkArguments(mcp: McpContext, tool: Tool, callArguments: Fields, { call }: Serving) {
  const { endpoint, listed } = tool;
  const sent = normaliseArguments(endpoint, callArguments);
  const { input: given, filled } = await resolveArguments(endpoint, sent, call, mcp.deps);
  let makeError: (() => unknown) | undefined;
  // Objects accept a cursor too, although tools/list does not declare it.
  const parts = isReadEndpoint(endpoint) ? ["cursor"] : [];
  makeError = findInvalidArguments(
    endpoint,
    [...parts, ...Object.keys(listed.inputSchema.properties ?? {})],
    callArguments,
  );
  try {
    if (!makeError) return readArguments(tool, given, filled);
  } catch (error) {
    makeError = () => error;
  }
  await admitCall(endpoint, given, call, mcp.deps);
  const error = makeError();
  recordFailedCall(endpoint, given, call, mcp.deps, error);
  throw error;
}

/** Admits a call by its ids, so that a denial leaves its audit row. */
export async function admitToolCall(mcp: McpContext, { endpoint }: Tool, callArguments: Fields, call: Call) {
  const sent = normaliseArguments(endpoint, callArguments);
  const { input: given } = await resolveArguments(endpoint, sent, call, mcp.deps);
  await admitCall(endpoint, given, call, mcp.deps);
}

async function toErrorResult(
  mcp: McpContext,
  tool: Tool,
  given: Fields,
  { call }: Serving,
  error: unknown,
): Promise<CallToolResult> {
  const named = await nameCandidates(tool.endpoint, toRestArguments(tool.endpoint, given), call, mcp.deps, error);
  return buildToolErrorResult(named, tool, {
    toolNames: mcp.toolTable.toolNames,
    requestId: call.requestId,
    log: mcp.log,
  });
}
