import { describeSchedule } from "../../../core/schedule.ts";
import type { GeoAuditSetup } from "./geo-audit-setup.ts";
import { counted } from "../../../core/counts.ts";

/** More pages are counted: a form too long to read is no confirmation. */
const MOST_LISTED = 20;

/** The whole setup, as a person reads it before saying yes. */
export function presentGeoAudit(setup: GeoAuditSetup, allAt: string | null, ownBrand: string | null): string[] {
  const { pages = null, website, schedule, ends_at: endsAt, notes = [] } = setup;
  const count = setup.page_count ?? setup.max_pages;
  return [
    `Website: ${website}`,
    `Brand: ${ownBrand ?? "no brand of the workspace has this domain, so pages are not searched for a brand's name"}`,
    `Scripts: ${setup.render ? "run in a browser, where one is configured" : "not run; pages are read as they come"}`,
    `Schedule: ${describeSchedule(schedule)}${endsAt === undefined ? "" : ` until ${endsAt}`}`,
    ...(pages === null
      ? [
          `Pages: not known yet. Up to ${counted(count, "page")}, found when the audit starts; what is not found costs nothing.`,
        ]
      : [`Pages: ${counted(count, "page")}, from ${setup.pages_from}`]),
    ...notes,
    ...(pages ?? []).slice(0, allAt === null ? undefined : MOST_LISTED).map((page) => `  ${page}`),
    ...(allAt !== null && count > MOST_LISTED && pages !== null ? [`  All of them: ${allAt}`] : []),
  ];
}
