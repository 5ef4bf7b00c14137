import type { Crawler } from "../audits/crawler.ts";
import type { PageFinder } from "../audits/page-finder.ts";
import type { AssetScorer } from "../assets/scorer.ts";
import type { TxtRecords } from "../identity/domain-ownership.ts";
import type { Partner } from "../platforms/partner.ts";
import type { Platforms } from "../platforms/platforms.ts";

/** Other systems that endpoints and background jobs work with. A further one is a line here and in `src/outside/outside.ts`. */
export interface Outside {
  /** Undefined if no partner is configured. */
  partner: Partner | undefined;
  platforms: Platforms;
  txtRecords: TxtRecords;
  scorer: AssetScorer;
  crawler: Crawler;
  pageFinder: PageFinder;
}
