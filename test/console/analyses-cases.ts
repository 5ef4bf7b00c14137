import { signedInBrowser } from "../support/assistant.ts";
import { collectScene } from "../collecting/scene.ts";

export const MONDAY = "2026-11-02T08:00:00.000Z";

export const NO_WORKER = { SERVE: "core,web" };

type Scene = Awaited<ReturnType<typeof collectScene>>;

/** A browser on the page of an analysis that `create` gave the path of. */
export async function openAnalysisPage(s: Scene, analysis: string, email = s.owner.email) {
  const browser = await signedInBrowser(s, email);
  const id = analysis.split("/").at(-1) ?? "";
  const at = `${s.config.baseUrl}/analyses/${s.organization.id}/${s.workspace.id}`;
  const open = async (query = "") => browser.get(`${at}/${id}${query}`);
  const press = async (name: string, fill: Record<string, string> = {}) =>
    browser.submit(await open(), { action: new RegExp(`/${id}/${name}$`), fill });
  return { browser, at, id, open, press };
}
