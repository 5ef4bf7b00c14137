import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../scripts/prose.ts");
const FOLDERS = ["bin", "src", "scripts", "examples", "tools", "auth", "db", "core", "test", "proofs", "bench", "docs"];

test("names the places of a count that rose, those in the files modified last first", () => {
  const root = mkdtempSync(join(tmpdir(), "prose-"));
  for (const folder of FOLDERS) mkdirSync(join(root, folder));
  writeFileSync(join(root, "core/old.ts"), "// Computed anew.\n");
  writeFileSync(join(root, "docs/new.md"), `# Page\n\n${"Read anew.\n".repeat(26)}`);
  utimesSync(join(root, "core/old.ts"), 1, 1);
  const args = ["--import", import.meta.resolve("tsx"), SCRIPT];
  const { stderr, status } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
  rmSync(root, { recursive: true });
  const places = Array.from({ length: 20 }, (_, at) => `  docs/new.md:${at + 3} “anew”: Read anew.`);
  const head = "“anew”: 27, 0 allowed. Places in the files modified last:";
  expect(stderr.split("\n").slice(0, -2)).toEqual([head, ...places]);
  expect(status).toBe(1);
});
