import SOURCES from "../../../lists/rule-sources.json" with { type: "json" };
import { createEvidence, passed, skipped, warned, definePageChecks } from "../check.ts";
import { findMachineReadableDates, findWrittenDates } from "../page-facts/page-dates.ts";

export const DATE_CHECKS = definePageChecks("semantic", [
  {
    id: "dates_machine_readable",
    title: "Displayed dates are machine-readable",
    weight: 2,
    howToFix:
      'Write the date as <time datetime="2026-01-31">, and state datePublished and dateModified in the page\'s structured data.',
    source: SOURCES.GOOGLE_DATES,
    strength: "documented_by_an_engine",
    run({ page }) {
      const { publishedDates, modifiedDates, shown } = findMachineReadableDates(page);
      if (publishedDates.length + modifiedDates.length + shown.length > 0)
        return passed("Programs can read a date of the page.");
      const days = findWrittenDates(page);
      const isNew = (text: string) => !days.some((day) => day.text.includes(text));
      const unread = page.times.filter(({ datetime, text }) => datetime === null && /\d{4}/.test(text) && isNew(text));
      const written = [...days, ...unread];
      if (written.length === 0) return skipped("The page shows no date.");
      return warned(
        "A date is shown that programs cannot read.",
        written.map((date) => createEvidence(page, date)),
      );
    },
  },
]);
