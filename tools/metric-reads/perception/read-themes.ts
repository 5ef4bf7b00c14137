import { intervalColumns, roundMetric } from "../../../core/metrics/metric-fields.ts";
import { tallyThemes, type ThemeTally } from "../../../core/metrics/facts/tally-themes.ts";
import { PERCEPTION_VERSION } from "../../../core/perception/perception.ts";
import { removeInvisible } from "../../../core/shared/fields.ts";
import { estimateShare } from "../../../core/statistics/interval.ts";
import type { Tenant } from "../../../db/engine/store.ts";
import type { ThemeRow } from "../../metrics/perception-row.ts";
import { listIds } from "../selection/choose-collects.ts";
import { openPrompts } from "../selection/open-prompts.ts";
import { isInGroup, rowNames } from "../selection/prompt-groups.ts";
import { isUnsolicited, type BrandMetricsInput } from "../selection/prompt-selection.ts";
import { readOpinions } from "./scored-parts.ts";

const THEMES_LEGEND = `theme_answers = answers that mention the pro or con; theme_share = theme_answers / answers that name the brand, 0 to 1; brand_share = theme_answers / theme_answers of all compared brands; ci = 95 % confidence interval for prompts like these; extraction rules version ${PERCEPTION_VERSION}`;

/** Most mentioned themes first, with the rows of a theme together. */
export async function readThemeRows(
  tenant: Tenant,
  analysis: { id: string; brandId: string },
  input: BrandMetricsInput,
) {
  const kinds = ["unaided", "aided", "perception"] as const;
  const opened = await openPrompts(tenant, analysis, { input, kinds, isCounted: isUnsolicited });
  const opinions = await readOpinions(tenant, opened);
  const isByBrand = input.group_by.includes("brand");
  const rows: ThemeRow[] = [];
  const answersByTheme = new Map<string, number>();
  for (const group of opened.groups) {
    const ids = listIds(group.collects);
    const isOwn = ({ collectId, source }: (typeof opinions)[number]) =>
      ids.includes(collectId) && (group.source === undefined || source === group.source);
    const facts = opinions.filter(isOwn).map((one) => one.facts);
    const questions = opened.prompts.questionsByPrompt.filter(({ slot }) => isInGroup(slot, group));
    const tallies = opened.shown.map((shown) => ({
      ...shown,
      themes: tallyThemes(facts, shown.brand.number, questions),
    }));
    const inGroup = countByTheme(tallies.flatMap(({ themes }) => themes));
    for (const { brand, isShown, themes } of tallies) {
      if (!isShown) continue;
      for (const theme of themes) {
        const { polarity, head, phrase, moments } = theme;
        addAnswers(answersByTheme, theme);
        rows.push({
          ...rowNames(group, brand, analysis),
          polarity,
          theme: removeInvisible(phrase),
          head: removeInvisible(head),
          theme_answers: moments.x,
          answers: moments.n,
          prompts: moments.promptCount,
          theme_share: roundMetric(moments.x / moments.n),
          ...(isByBrand && { brand_share: roundMetric(moments.x / (inGroup.get(themeKey(theme)) ?? 1)) }),
          ...(input.statistics && intervalColumns(estimateShare(moments, { sourceCount: group.sourceCount }))),
        });
      }
    }
  }
  const total = (row: ThemeRow) => answersByTheme.get(themeKey(row)) ?? 0;
  const sorted = rows.toSorted((a, b) => total(b) - total(a) || compareKeys(a, b) || b.theme_answers - a.theme_answers);
  return { rows: sorted, basis: await opened.basis(THEMES_LEGEND, { opinions }) };
}

function themeKey({ polarity, head }: { polarity: string; head: string }): string {
  return `${polarity} ${head}`;
}

function compareKeys(a: ThemeRow, b: ThemeRow): number {
  const [one, other] = [themeKey(a), themeKey(b)];
  return one === other ? 0 : one < other ? -1 : 1;
}

function countByTheme(themes: readonly ThemeTally[]): Map<string, number> {
  const answers = new Map<string, number>();
  for (const theme of themes) addAnswers(answers, theme);
  return answers;
}

function addAnswers(answers: Map<string, number>, theme: ThemeTally): void {
  answers.set(themeKey(theme), (answers.get(themeKey(theme)) ?? 0) + theme.moments.x);
}
