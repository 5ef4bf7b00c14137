import { invoke, outcomeOf, recordCall } from "../invoke.ts";
import { callConfirmed } from "./confirm.ts";
import type { Answered, CallContext, Fields, ToolHost } from "./host.ts";
import { readArguments } from "./tool-arguments.ts";
import { toolRefusal } from "./tool-errors.ts";
import { toolResult } from "./tool-result.ts";
import type { Tool } from "./tool-table.ts";

/** Runs one tool. What is refused is a result too, for the model to read. */
export async function callTool(host: ToolHost, tool: Tool, given: Fields, at: CallContext): Promise<Answered> {
  const { call } = at.serving;
  try {
    if (tool.endpoint.present) return await callConfirmed(host, tool, given, at);
    const { input, selection } = checkedArguments(host, tool, given, at);
    const output = await invoke(tool.endpoint, input, call, host.deps);
    // An endpoint's output is an object: the table of tools is not made otherwise.
    return toolResult(tool, output as Fields, selection);
  } catch (error) {
    return toolRefusal(error, tool, { names: host.table.names, requestId: call.requestId, log: host.log });
  }
}

/** Arguments that the door itself refuses leave an audit row like every other call. */
function checkedArguments(host: ToolHost, tool: Tool, given: Fields, { serving }: CallContext) {
  try {
    return readArguments(tool, given);
  } catch (error) {
    recordCall(tool.endpoint, given, serving.call, host.deps, outcomeOf(error));
    throw error;
  }
}
