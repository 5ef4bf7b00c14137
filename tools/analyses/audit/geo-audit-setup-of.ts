import type { AnalysisRow } from "../../../db/measuring/analyses.ts";
import { listAllQuestions } from "../../../db/measuring/questions.ts";
import { findSetup } from "../../../db/measuring/setups.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { Instant } from "../../../core/time.ts";
import { copyName } from "../copy-name.ts";
import { GIVEN_LIST, ShownSettings, type GeoAuditSetup } from "./geo-audit-setup.ts";

/**
 * The present setup of an audit under another name, as pricing takes it: with its pages where these were given, and else to find them
 * again. An end that has passed is left out.
 */
export async function geoAuditSetupOf(tenant: Tenant, analysis: AnalysisRow, now: Instant): Promise<GeoAuditSetup> {
  const { id, name, schedule, endsAt } = analysis;
  const { positions, questionCount, setup } = await findSetup(tenant, analysis);
  const { pages_from: from, ...settings } = ShownSettings.parse(setup);
  const texts = new Map((await listAllQuestions(tenant, id)).map(({ position, text }) => [position, text]));
  const asked = positions ?? Array.from({ length: questionCount }, (_, position) => position);
  return {
    ...settings,
    name: copyName(name),
    ...(from === GIVEN_LIST ? { urls: asked.flatMap((position) => texts.get(position) ?? []) } : {}),
    schedule,
    ...(endsAt === null || endsAt <= now ? {} : { ends_at: endsAt }),
  };
}
