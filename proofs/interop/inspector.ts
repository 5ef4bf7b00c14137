import type { ToolAnswer } from "../../test/support/tool-client.ts";
import { openHome } from "./home.ts";
import { runTool } from "./tools.ts";

const INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

/** The inspector's command line, with its own home and a browser that signs in automatically. */
export async function openInspector(url: string, era: "legacy" | "auto" | "modern") {
  const home = await openHome("inspector");
  const env = { ...home.env, MCP_AUTO_OPEN_ENABLED: "true", MCP_INSPECTOR_SECRET_STORE: "file" };
  const run = (given: readonly string[]) =>
    runTool(
      INSPECTOR,
      ["--cli", "--server-url", url, "--transport", "http", "--protocol-era", era, "--format", "json", ...given],
      { env },
    );
  return {
    /** Output and exit code of `tools/list --strict`: 6 if a schema would fail in some client. */
    listStrictly: () => run(["--method", "tools/list", "--strict"]),
    async call(name: string, given: Record<string, unknown>): Promise<ToolAnswer> {
      const json = JSON.stringify(given);
      const { output } = await run(["--method", "tools/call", "--tool-name", name, "--tool-args-json", json]);
      return answerIn(output);
    },
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  };
}

/** The result object in the inspector's output. */
function answerIn(output: string): ToolAnswer {
  const line = output.split("\n").find((one) => one.startsWith("{") && one.includes('"content"'));
  if (line === undefined) throw new Error(`The inspector gave no result:\n${output.slice(0, 2000)}`);
  const parsed = JSON.parse(line) as { result?: Record<string, unknown> } & Record<string, unknown>;
  const result = parsed.result ?? parsed;
  const [first] = result["content"] as { text?: string }[];
  return { text: first?.text ?? "", isError: result["isError"] === true, structured: result["structuredContent"] };
}
