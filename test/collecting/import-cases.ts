import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { collectScene } from "./scene.ts";

export const RECORDED = new URL("../../../shared/data/recorded/", import.meta.url);

export const recorded = existsSync(RECORDED);

export function lines(...rows: unknown[]): string {
  return rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");
}

/** Stored file names, after unneeded ones are gone. */
async function filesIn(folder: string): Promise<string[]> {
  for (let waited = 0; ; waited += 20) {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    if (names.length === 0 || waited > 5000) return names;
    await sleep(20);
  }
}

/** An analysis that asks nobody, for answers that were collected elsewhere. */
export async function scene(env: Record<string, string> = {}) {
  const s = await collectScene({ env });
  const analysis = await s.create(["best phone"], { sources: [] });
  return {
    ...s,
    analysis,
    send: (body: unknown, headers: Record<string, string> = {}, to = analysis) =>
      s.owner.request("POST", `${to}/answers/import`, {
        body,
        headers: { "content-type": "application/x-ndjson", ...headers },
      }),
    collects: async () => (await s.owner.get(`${analysis}/collects`)).body.data,
    files: () => filesIn(join(s.config.DATA_DIR, "assets")),
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  };
}

export const answer = (more: object = {}) => ({
  keyword: "best phone",
  source: "ASSISTANT_A",
  text: "1. **Rival** – cheap\n2. **Acme** – good",
  citations: [{ url: "https://acme.test/phones", title: "Phones" }],
  ...more,
});
