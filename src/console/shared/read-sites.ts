import type { z } from "zod";
import { listCitations } from "../../../tools/metrics/list-citations.ts";
import type { Ask } from "../../http/pages/call-endpoint.ts";

type Citations = z.output<typeof listCitations.output>;
type Row = Citations["data"][number];
type SiteColumn = "domain" | "url" | "competitor_type" | "brand" | "answers" | "citations" | "share";

export type Site = Row & { [Column in SiteColumn]: Exclude<Row[Column], undefined> };
export type SiteList = Omit<Citations, "data"> & { data: Site[] };

/** Cited sites, or pages if `group_by` is `page`. */
export async function readSites(call: Ask, input: Record<string, unknown>): Promise<SiteList> {
  // Safe: rows that are sites or pages have these columns.
  return (await call(listCitations, input)) as SiteList;
}
