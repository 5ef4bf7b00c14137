import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { getCollect } from "../../../../tools/collects/get-collect.ts";
import { callPlain } from "../tools/call-tool.ts";
import { listTool } from "../tools/tool-listing.ts";
import { toToolset } from "../tools/tool-table.ts";
import { toToolSchema } from "../tools/tool-schema.ts";
import type { ExtraTool, Fields } from "../mcp-context.ts";

/** Max duration of a call; most clients time out after a minute. */
const MAX_SECONDS = 50;
const PROGRESS_INTERVAL_SECONDS = 5;

const { wait: _wait, ...ids } = getCollect.input.shape;
const inputSchema = z.strictObject(ids);

export const AWAIT_COLLECT: ExtraTool = {
  toolset: toToolset(getCollect.group),
  listed: {
    ...listTool({
      endpoint: getCollect,
      name: "await_collect",
      input: toToolSchema(inputSchema, "input", 1),
      list: null,
    }),
    title: "Wait for a run to complete",
    description:
      "Wait up to 50 seconds for a run (`collect`) to complete, instead of polling. Call again while status is queued or running.",
  },
  async runTool(given, context, _codec, { mcp, serving }) {
    const tool = mcp.toolTable.tools.find(({ endpoint }) => endpoint === getCollect);
    if (!tool) throw new Error("There is no tool to read a run.");
    const end = performance.now() + 1000 * MAX_SECONDS;
    const looks = context.mcpReq._meta?.progressToken === undefined ? MAX_SECONDS : PROGRESS_INTERVAL_SECONDS;
    for (let wait = 0; ; wait = looks) {
      const result = await callPlain(mcp, tool, { ...given, wait }, serving);
      const collect = result.structuredContent as Fields | undefined;
      if (!collect || isComplete(collect) || performance.now() >= end || context.mcpReq.signal.aborted) return result;
      await notifyProgress(context, collect);
    }
  },
};

function isComplete({ status }: Fields): boolean {
  return status !== "queued" && status !== "running";
}

async function notifyProgress({ mcpReq }: ServerContext, { planned, succeeded, failed }: Fields): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  const progress = Number(succeeded) + Number(failed);
  const message = `${progress} of ${Number(planned)} done.`;
  await mcpReq.notify({
    method: "notifications/progress",
    params: { progressToken, progress, total: Number(planned), message },
  });
}
