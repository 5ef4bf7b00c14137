import type { Crawler } from "../audits/crawler.ts";
import type { PageFinder } from "../audits/page-finder.ts";
import type { AssetScorer } from "../assets/scorer.ts";
import type { TxtRecords } from "../identity/domain-ownership.ts";
import type { Partner } from "../platforms/partner.ts";
import type { Platforms } from "../platforms/platforms.ts";

/** External systems used by endpoints and jobs; implementations are in `src/outside/outside.ts`. */
export interface OutsideSystems {
  /** The partner's briefs; undefined if not configured. */
  partner: Partner | undefined;
  platforms: Platforms;
  txtRecords: TxtRecords;
  scorer: AssetScorer;
  crawler: Crawler;
  pageFinder: PageFinder;
}
