import type { z } from "zod";
import type { Basis } from "../../../tools/metric-reads/selection/basis.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { formatDay } from "../../http/pages/format-day.ts";
import { formatCount } from "../../../core/shared/format-count.ts";

export function renderBasis(basis: z.output<typeof Basis>, extraParts: readonly string[] = []): Html {
  const collects = basis.collects.map(({ number, status, collected_to: to, finished_at: at }) => {
    return `run ${number} of ${formatDay(to ?? at)}${status === "partial" ? " (partial)" : ""}`;
  });
  const { answers, prompts, informative, not_shown: notShown, left_out: leftOut, sources } = basis;
  const parts = [
    `Based on ${formatCount(answers, "answer")}${prompts === null ? "" : ` to ${formatCount(prompts, "prompt")}`}`,
    ...(informative === null ? [] : [`${informative} name a tracked brand or link to a known site`]),
    collects.join(", "),
    sources.map(({ name }) => name).join(", "),
    ...(notShown ? [`${notShown} times no AI answer was shown (not counted)`] : []),
    ...(leftOut ? [`${leftOut} ${basis.kind === "simulated" ? "other" : "simulated"} answers are not counted`] : []),
    ...extraParts,
  ];
  return html`<p class="hint">${parts.filter(Boolean).join(" · ")}</p>`;
}
