import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { world, type Person } from "../support/world.ts";
import { formOf } from "./files.ts";

/** A world for adding files, with access to the disk. */
export async function fileScene(options: Parameters<typeof world>[0] = {}) {
  const w = await world(options);
  const { owner, organization, workspace } = await w.acme();
  const folder = join(w.config.DATA_DIR, "assets");
  return {
    w,
    owner,
    organization,
    workspace,
    folder,
    add: (bytes: Uint8Array, fileName: string, fields: Record<string, string> = {}, by: Person = owner) =>
      by.post(`${workspace.path}/assets`, formOf(bytes, fileName, fields)),
    /** Hashes and leftovers below the folder of files. */
    async onDisk() {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      return files.filter((file) => file.isFile()).map((file) => file.name);
    },
    async until(id: string) {
      for (let waited = 0; waited < 20_000; waited += 20) {
        const { body } = await owner.get(`${workspace.path}/assets/${id}`);
        if (body.status !== "processing") return body;
        await sleep(20);
      }
      throw new Error("the asset stays processing");
    },
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  };
}

export const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

export const HTML = "<!DOCTYPE html><html><head><title>T</title></head><body><p>Hello</p></body></html>";
