import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, warned, definePageChecks } from "../check.ts";

export const LANDMARK_CHECKS = definePageChecks("semantic", [
  {
    id: "main_landmark",
    title: "One main element holds the main content",
    weight: 2,
    howToFix: "Put the page's own content in one main element, and menus, header and footer outside it.",
    source: SOURCES.HTML_MAIN,
    strength: "practice",
    run({ page }) {
      const mains = page.landmarks.filter(({ kind }) => kind === "main");
      if (mains.length === 1) return passed("One main element holds the main content.");
      if (mains.length > 1)
        return warned(
          `The page has ${mains.length} main elements.`,
          mains.map(({ offset }) => createEvidence(page, { text: "<main>", offset })),
        );
      const message = "The page has no main element.";
      return page.landmarks.some(({ kind }) => kind === "article")
        ? warned(`${message} An article element marks the main content.`)
        : failed(message);
    },
  },
  {
    id: "viewport",
    title: "The page fits small screens",
    weight: 1,
    howToFix: 'Write <meta name="viewport" content="width=device-width, initial-scale=1"> in the head.',
    source: SOURCES.GOOGLE_MOBILE,
    strength: "documented_by_an_engine",
    run({ page }) {
      const viewport = page.metas.find(({ name }) => name === "viewport");
      if (!viewport) return failed("The page has no viewport meta element.");
      if (/width\s*=\s*device-width/i.test(viewport.content.slice(0, 500)))
        return passed("The page declares a viewport.");
      return warned("The viewport is not as wide as the device.", [
        createEvidence(page, { text: viewport.content, offset: viewport.offset }),
      ]);
    },
  },
]);
