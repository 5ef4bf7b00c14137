import { expect, test } from "vitest";
import { findLeadingWord, summariseName } from "../../core/brands/brand-suggestions.ts";
import { findMentions } from "../../core/reading/find-mentions.ts";
import { createNameGatherer } from "../../core/brands/name-gatherer.ts";
import { catalogOf } from "../measurement/brands.ts";
import { labelledCatalog } from "../measurement/truth.ts";
import { AT, finishGathering, answers } from "./names-cases.ts";

/** Judged by hand, name by name: brands and lines of products that the labelled catalog lacks. */
const ALSO_NAMES = "iPhone|MacBook|GIGABYTE AERO|Razer Blade|TicWatch|SteelSeries|Qidi|Modix|Hisense|Kodak".split("|");

test.skipIf(!answers)(
  "of the names suggested from recorded answers, at least 95 in 100 are brands or product lines",
  () => {
    const products = [...new Set((answers ?? []).map(({ product }) => product))];
    const labelled = labelledCatalog();
    const suggested = products.flatMap((product) => {
      const gathering = createNameGatherer(catalogOf());
      for (const [number, { product: of, prompt, answer: text }] of (answers ?? []).entries()) {
        const row = { id: `${number}`, source: "ASSISTANT_A" as const, collectedAt: AT, isSearchPage: false, urls: [] };
        if (of === product) gathering.add([{ ...row, prompt, text }]);
      }
      const names = finishGathering(gathering).flatMap((row) => summariseName([row]) ?? []);
      const folded = new Set(names.filter((name) => name.isSuggested).map((name) => name.folded));
      return names.filter((name) => name.isSuggested && !folded.has(findLeadingWord(name.folded) ?? ""));
    });
    const isName = (text: string) => ALSO_NAMES.includes(text) || findMentions(text, labelled).length > 0;
    const wrong = suggested.filter(({ text }) => !isName(text)).map(({ text }) => text);
    const brands = new Set(
      suggested.flatMap(({ text }) => findMentions(text, labelled).map(({ brand_id }) => brand_id)),
    );
    const share = 1 - wrong.length / suggested.length;
    process.stdout.write(
      `names suggested from ${answers?.length} recorded answers: ${suggested.length}, precision ${share.toFixed(3)}; wrong: ${wrong.join(", ")}; labelled brands among them: ${brands.size}\n`,
    );
    expect(share).toBeGreaterThanOrEqual(0.95);
  },
);
