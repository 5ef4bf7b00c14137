import { expect, test } from "vitest";
import { MemoryAuthorization } from "../../examples/memory-authorization.ts";
import { MAIN_JOB_ENV, mainJob, signInBy } from "./main-job.ts";
import type { CLIENTS } from "../support/tool-client.ts";
import { world } from "../support/world.ts";

const CALLBACK = "http://127.0.0.1:43119/callback";

/** Declares the main job as a test of each of these clients. */
export function testMainJob(clients: typeof CLIENTS): void {
  for (const [name, connect] of Object.entries(clients)) {
    test(`${name}: signs in at its first call, and does the main job with a form for its person`, async () => {
      await using w = await world({ env: MAIN_JOB_ENV });
      const authorization = new MemoryAuthorization("Test assistant", CALLBACK);
      {
        await using first = await connect(w.config.mcpUrl, { authorization });
        await signInBy(first, authorization);
      }
      await using client = await connect(w.config.mcpUrl, { authorization, person: () => "accept" });
      const done = await mainJob((tool, given) => client.call(tool, given));
      expect(done).toMatchObject({ keywords: 1, spentCredits: 6 });
      expect(done.brands).toContain("Kestrova");
      expect(client.asked).toHaveLength(1);
    });
  }
}
