import { setTimeout as sleep } from "node:timers/promises";
import type { Person } from "../support/world.ts";

/** Creates an export and downloads it by link. `path` is that of the workspace. */
export async function readExport(person: Person, path: string, request: object): Promise<Buffer> {
  const { status, body } = await person.post(`${path}/exports`, request, { prefer: "respond-async" });
  if (status !== 202) throw new Error(JSON.stringify(body));
  const { id } = body;
  const { url } = await waitForExport(person, path, id);
  const file = await fetch(url);
  if (!file.ok) throw new Error(`the link of an export gave ${file.status}`);
  const bytes = Buffer.from(await file.arrayBuffer());
  await person.delete(`${path}/exports/${id}`);
  return bytes;
}

/** Waits until an export completes; returns it. */
export async function waitForExport(person: Person, path: string, id: string) {
  for (let waited = 0; waited < 120_000; waited += 20) {
    const { body } = await person.get(`${path}/exports/${id}`);
    if (body.status === "completed") return body;
    if (body.status === "failed") throw new Error(body.failure_reason);
    await sleep(20);
  }
  throw new Error("the export was not made in two minutes");
}
