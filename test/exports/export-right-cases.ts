import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { collectScene } from "../collecting/scene.ts";
import { WITHOUT_LIMITS, type Person } from "../support/world.ts";

// Shared by the tests of auth/keys/export-access.ts, src/http/exported-files.ts and tools/exports.

/** A workspace with members that export its catalog. */
export async function exportScene() {
  const s = await collectScene({ env: WITHOUT_LIMITS });
  const exportsPath = `${s.workspace.path}/exports`;
  let people = 0;
  return {
    ...s,
    exportsPath,
    member(workspaceRole: "viewer" | "editor" = "viewer"): Promise<Person> {
      const of = { organizationId: s.organization.id, workspaceId: s.workspace.id };
      return s.signIn(`person-${people++}@acme.test`, { ...of, role: "guest", workspaceRole });
    },
    /** Exports the catalog and waits for the file. */
    async exportedBy(person: Person): Promise<{ id: string; url: string }> {
      const asked = await person.post(exportsPath, { what: "catalog", format: "jsonl" }, { prefer: "respond-async" });
      expect(asked.status).toBe(202);
      for (let waited = 0; waited < 20_000; waited += 20) {
        const { body } = await s.owner.get(`${exportsPath}/${asked.body.id}`);
        if (body.status === "completed") return body;
        await sleep(20);
      }
      throw new Error("the export was not made in 20 s");
    },
  };
}

export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.status;
}
