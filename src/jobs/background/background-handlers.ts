import type { BackgroundKind } from "../../../core/background.ts";
import type { BackgroundHandler } from "./background.ts";
import { evaluateAssets } from "./evaluate-assets.ts";
import { extractAsset } from "./extract-asset.ts";
import { finishOutboxEntry } from "./finish-outbox-entry.ts";
import { keepPlatform } from "./keep-platform.ts";
import { recommendActions } from "./recommend-actions.ts";
import { rereadAnswers } from "./reread-answers.ts";
import { syncBrief } from "./sync-brief.ts";
import { suggestBrands } from "./suggest-brands.ts";
import { writeTaskBrief } from "./write-brief.ts";

/** Who does what: every kind has somebody. */
export const HANDLERS: Readonly<Record<BackgroundKind, BackgroundHandler>> = {
  evaluate_assets: evaluateAssets,
  extract_asset: extractAsset,
  finish_errand: finishOutboxEntry,
  keep_platform: keepPlatform,
  recommend_actions: recommendActions,
  reread_answers: rereadAnswers,
  sync_brief: syncBrief,
  suggest_brands: suggestBrands,
  write_brief: writeTaskBrief,
};
