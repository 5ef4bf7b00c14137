import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, skipped, warned, definePageChecks } from "../check.ts";
import { countNoun, hasOrHave } from "../count-noun.ts";

/** Share of images without alternative text at which the check fails. */
const MAX_WARN_SHARE = 0.25;
const FILE_NAME_PATTERN = /^[\w-]{1,100}\.(?:jpe?g|png|gif|webp|avif|svg)$/i;

export const IMAGE_CHECKS = definePageChecks("semantic", [
  {
    id: "image_alternatives",
    title: "Images have alternative text",
    weight: 2,
    howToFix:
      'Say in the alt attribute what each image shows. Images that are decoration alone get an empty one, alt="".',
    source: SOURCES.GOOGLE_IMAGES,
    strength: "documented_by_an_engine",
    run({ page }) {
      const images = page.images.filter(({ isDecoration }) => !isDecoration);
      if (images.length === 0) return skipped("The page shows no images that need alternative text.");
      const without = images.filter(({ alt }) => alt === null || FILE_NAME_PATTERN.test(alt.trim()));
      if (without.length === 0)
        return passed(`${countNoun(images.length, "image")} ${hasOrHave(images.length)} alternative text.`);
      const message = `${without.length} of ${countNoun(images.length, "image")} ${hasOrHave(without.length)} no alternative text.`;
      const evidence = without.map(({ src, offset }) =>
        createEvidence(page, { text: src === "" ? "<img>" : src, offset }),
      );
      return without.length > images.length * MAX_WARN_SHARE ? failed(message, evidence) : warned(message, evidence);
    },
  },
]);
