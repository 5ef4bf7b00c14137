import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const git = (root: string, ...args: string[]) =>
  execFileSync("git", ["-C", root, ...args], { encoding: "utf8", maxBuffer: 1 << 26 });

/** Current files of a checkout, untracked ones included; sorted paths relative to its root. */
export function filesOf(root: string): string[] {
  const listed = git(root, "ls-files", "-co", "--exclude-standard", "-z").split("\0");
  return listed.filter((file) => file !== "" && existsSync(join(root, file))).toSorted();
}

/**
 * Maps each file of `here` to its path in `there`, a checkout of the repository at an earlier
 * commit.
 */
export function mapMovedFiles(there: string, here: string): (file: string) => string {
  const base = git(there, "rev-parse", "HEAD").trim();
  const fields = git(here, "diff", "-M40%", "-l0", "--diff-filter=R", "--name-status", "-z", base).split("\0");
  const before = new Map<string, string>();
  for (let i = 0; i + 2 < fields.length; i += 3) before.set(fields[i + 2] ?? "", fields[i + 1] ?? "");
  return (file) => before.get(file) ?? file;
}

/**
 * A copy of a checkout for planting faults; packages and the recorded data next to it are linked.
 */
export function copyTree(root: string) {
  const folder = mkdtempSync(join(tmpdir(), "visibility-mutate-"));
  const tree = join(folder, "tree");
  for (const file of filesOf(root)) {
    mkdirSync(dirname(join(tree, file)), { recursive: true });
    cpSync(join(root, file), join(tree, file));
  }
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  const recorded = join(root, "../shared");
  if (existsSync(recorded)) symlinkSync(recorded, join(folder, "shared"));
  return { tree, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
