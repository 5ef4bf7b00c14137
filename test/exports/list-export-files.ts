import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Stored file names, sorted, and incoming files. */
export function listExportFiles(dataDir: string): { kept: string[]; incoming: number; incomingPaths: string[] } {
  const folder = join(dataDir, "assets");
  const arriving = join(folder, "incoming");
  const incomingPaths = existsSync(arriving) ? readdirSync(arriving).map((name) => join(arriving, name)) : [];
  const parts = readdirSync(folder).filter((name) => name !== "incoming");
  const kept = parts.flatMap((name) => readdirSync(join(folder, name))).toSorted();
  return { kept, incoming: incomingPaths.length, incomingPaths };
}
