import type { SiteList } from "../shared/read-sites.ts";
import type { z } from "zod";
import type { Instant } from "../../../core/shared/time.ts";
import type { getVisibility } from "../../../tools/metrics/get-visibility.ts";
import type { ShownAction } from "../actions/actions-page.ts";
import type { MetricsView, ShownCollect } from "../shared/filters.ts";

export type Visibility = z.output<typeof getVisibility.output>;
export type BrandRow = Visibility["data"][number];

export interface VisibilityView extends MetricsView {
  collects: readonly ShownCollect[];
  now: Instant;
  /** Visibility of the own brand only, with interval and change of the respective metric. */
  presence: Visibility;
  topThree: Visibility;
  shareOfVoice: Visibility;
  citations: Visibility;
  table: Visibility;
  movedBrands: Visibility;
  /** Visibility of own brand and rivals over collects. */
  trend: Visibility;
  heat: Visibility;
  sites: SiteList;
  actions: readonly ShownAction[];
}
