import { givePassword, signedInBrowser } from "../support/assistant.ts";
import { auditScene, type AuditVariant } from "./audit-scene.ts";

/** An audit, and where a person finds it in the console. */
export async function consoleScene(variant: AuditVariant = {}) {
  const s = await auditScene(variant);
  await givePassword(s.w, s.owner.id);
  const ids = { organizationId: s.organization.id, workspaceId: s.workspace.id };
  const audit = `${s.w.config.baseUrl}/audits/${ids.organizationId}/${ids.workspaceId}/${s.analysisId}`;
  return {
    ...s,
    ids,
    audit,
    pageAt: (name: keyof typeof s.pages) => `${audit}/${s.pages[name]}`,
    browser: await signedInBrowser(s.w, s.owner.email),
  };
}

/** Text of a page without markup, with single spaces. */
export function shownText(markup: string): string {
  const [, main = markup] = /<main[^>]*>([\s\S]*)<\/main>/.exec(markup) ?? [];
  return main
    .replaceAll(/<\/?bdi>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&#(\d+);/g, (_all, code) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The cells of a table's rows, by the name of its region. */
export function tableRows(markup: string, region: string): string[][] {
  const [, table = ""] = new RegExp(`aria-label="${region}">([\\s\\S]*?)</table>`).exec(markup) ?? [];
  const [, body = ""] = /<tbody>([\s\S]*)<\/tbody>/.exec(table) ?? [];
  return [...body.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = ""]) => shownText(cell)),
  );
}
