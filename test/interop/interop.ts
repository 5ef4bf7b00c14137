import { MemoryAuthorization } from "../../src/cli/memory-authorization.ts";
import { MAIN_JOB_ENV, mainJob, signInBy, type MainJobResult } from "../main-job.ts";
import { CLIENTS } from "../tool-client.ts";
import { world } from "../world.ts";
import { openInspector } from "./inspector.ts";
import { installTools } from "./tools.ts";

// The main job through real clients, each signing in by itself, each against a service of its own.

const CALLBACK = "http://127.0.0.1:43120/callback";

async function throughSdk(connect: (typeof CLIENTS)[string]): Promise<MainJobResult> {
  await using w = await world({ env: MAIN_JOB_ENV });
  const authorization = new MemoryAuthorization("Interop assistant", CALLBACK);
  {
    await using first = await connect(w.config.mcpUrl, { authorization });
    await signInBy(first, authorization);
  }
  await using client = await connect(w.config.mcpUrl, { authorization, person: () => "accept" });
  return await mainJob((name, given) => client.call(name, given));
}

async function throughInspector(era: "legacy" | "auto" | "modern"): Promise<MainJobResult> {
  await using w = await world({ env: MAIN_JOB_ENV });
  await using inspector = await openInspector(w.config.mcpUrl, era);
  const { code, output } = await inspector.listStrictly();
  if (code !== 0) throw new Error(`tools/list --strict ended with ${code}:\n${output.slice(-2000)}`);
  return await mainJob((name, given) => inspector.call(name, given), { confirmed: true });
}

await installTools();
const runs: [string, () => Promise<MainJobResult>][] = [
  ...Object.entries(CLIENTS).map(([name, connect]): [string, () => Promise<MainJobResult>] => [
    name,
    () => throughSdk(connect),
  ]),
  ...(["legacy", "auto", "modern"] as const).map((era): [string, () => Promise<MainJobResult>] => [
    `Inspector CLI, ${era}`,
    () => throughInspector(era),
  ]),
];
let failed = 0;
for (const [name, run] of runs) {
  const startedAt = performance.now();
  const line = await run().then(
    ({ brands, spentCredits }) =>
      `passed: ${brands.length} brands, the first ${brands[0]}; ${spentCredits} credits spent`,
    (error: unknown) => {
      failed++;
      return `FAILED: ${error instanceof Error ? error.message : String(error)}`;
    },
  );
  console.info(`${name.padEnd(24)} ${line} (${Math.round((performance.now() - startedAt) / 1000)} s)`);
}
process.exitCode = failed === 0 ? 0 : 1;
