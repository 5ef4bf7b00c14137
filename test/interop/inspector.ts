import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ToolAnswer } from "../tool-client.ts";
import { runTool } from "./tools.ts";

const INSPECTOR = "@modelcontextprotocol/inspector/clients/launcher/build/index.js";
const BROWSERS = ["open", "x-www-browser", "sensible-browser", "google-chrome", "firefox"];

/** The inspector's command line, with a home of its own and a browser that signs in by itself. */
export async function openInspector(url: string, era: "legacy" | "auto" | "modern") {
  const home = await mkdtemp(join(tmpdir(), "inspector-"));
  const bin = join(home, "bin");
  await mkdir(bin);
  const browser = join(bin, "xdg-open");
  const standIn = join(import.meta.dirname, "stand-in-browser.ts");
  const tsx = join(import.meta.dirname, "../../node_modules/.bin/tsx");
  // The program opens its callback address only after the browser was started, so the browser must not be waited for.
  await writeFile(
    browser,
    `#!/bin/sh\n(sleep 1; "${process.execPath}" "${tsx}" "${standIn}" "$@") >/dev/null 2>&1 &\n`,
  );
  await chmod(browser, 0o755);
  for (const name of BROWSERS) await symlink(browser, join(bin, name));
  const env = {
    HOME: home,
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    BROWSER: browser,
    MCP_AUTO_OPEN_ENABLED: "true",
    MCP_INSPECTOR_SECRET_STORE: "file",
  };
  const run = (given: readonly string[]) =>
    runTool(
      INSPECTOR,
      ["--cli", "--server-url", url, "--transport", "http", "--protocol-era", era, "--format", "json", ...given],
      { env },
    );
  return {
    /** What `tools/list --strict` says, with its exit code: 6 where a schema would trouble some client. */
    listStrictly: () => run(["--method", "tools/list", "--strict"]),
    async call(name: string, given: Record<string, unknown>): Promise<ToolAnswer> {
      const json = JSON.stringify(given);
      const { output } = await run(["--method", "tools/call", "--tool-name", name, "--tool-args-json", json]);
      return answerIn(output);
    },
    async [Symbol.asyncDispose]() {
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** The result object among what the inspector prints. */
function answerIn(output: string): ToolAnswer {
  const line = output.split("\n").find((one) => one.startsWith("{") && one.includes('"content"'));
  if (line === undefined) throw new Error(`The inspector gave no result:\n${output.slice(0, 2000)}`);
  const parsed = JSON.parse(line) as { result?: Record<string, unknown> } & Record<string, unknown>;
  const result = parsed.result ?? parsed;
  const [first] = result["content"] as { text?: string }[];
  return { text: first?.text ?? "", isError: result["isError"] === true, structured: result["structuredContent"] };
}
