import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { world } from "../world.ts";

/** A data folder with an organization, for processes that are started on it. */
export async function faultFolder() {
  const dataDir = await mkdtemp(join(tmpdir(), "visibility-fault-"));
  await using w = await world({ dataDir });
  const { owner, workspace } = await w.acme();
  return {
    dataDir,
    workspace,
    /** The owner's calls, at whichever process answers at `address`. */
    async ownerAt(address: string) {
      const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
        const response = await fetch(new URL(path, address), {
          method,
          headers: { "content-type": "application/json", ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      };
      const token = await call("POST", "/v1/auth/token", { api_key: owner.apiKey });
      const authorization = `Bearer ${String(token.body["access_token"])}`;
      return (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
        call(method, path, body, { authorization, ...headers });
    },
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}
