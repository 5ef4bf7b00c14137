import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, failed, passed, warned, definePageChecks } from "../check.ts";

const REQUIRED_PROPERTIES = ["og:title", "og:description", "og:type"] as const;

export const OPEN_GRAPH_CHECKS = definePageChecks("semantic", [
  {
    id: "open_graph",
    title: "OpenGraph names title, description and type",
    weight: 1,
    howToFix: "Write og:title, og:description and og:type as meta elements with property and content.",
    source: SOURCES.OPEN_GRAPH,
    strength: "practice",
    run({ page }) {
      const present = new Set(page.metas.filter(({ content }) => content.trim() !== "").map(({ name }) => name));
      const missing = REQUIRED_PROPERTIES.filter((name) => !present.has(name));
      if (missing.length === 0) return passed("OpenGraph names title, description and type.");
      const message = `OpenGraph lacks ${missing.join(", ")}.`;
      return missing.length === REQUIRED_PROPERTIES.length ? failed(message) : warned(message);
    },
  },
  {
    id: "open_graph_image",
    title: "OpenGraph names an image by its full URL",
    weight: 1,
    howToFix: "Write og:image with an address that begins with https://.",
    source: SOURCES.OPEN_GRAPH,
    strength: "practice",
    run({ page }) {
      const images = page.metas.filter(
        ({ name }) => name === "og:image" || name === "og:image:url" || name === "og:image:secure_url",
      );
      const [first] = images;
      if (!first) return failed("OpenGraph names no image.");
      if (images.some(({ content }) => /^https?:\/\//i.test(content.trim()) && URL.canParse(content.trim())))
        return passed("OpenGraph names an image.");
      return warned("og:image is not an absolute address.", [
        createEvidence(page, { text: first.content, offset: first.offset }),
      ]);
    },
  },
]);
