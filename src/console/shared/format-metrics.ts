import type { z } from "zod";
import type { ChangeField } from "../../../core/metrics/changes/change-row.ts";
import { shortened } from "../../http/pages/truncate-text.ts";
import { html, type Html } from "../../http/pages/html.ts";

// Formats metrics. The element's `value` attribute has the exact value of the API.

export type ShownChange = z.output<typeof ChangeField>;

const MAX_NAME_LENGTH = 80;

/** Isolates a name's text direction and limits its length. */
export function renderName(name: string): Html {
  return html`<bdi>${truncateName(name)}</bdi>`;
}

/** Limits a name's length where no element is allowed, such as in an option or attribute. */
export function truncateName(name: string): string {
  return shortened(name, MAX_NAME_LENGTH);
}

const MAX_SENTENCE_LENGTH = 300;

/** Isolates and shortens a sentence with untrusted names. */
export function renderSentence(text: string): Html {
  return html`<bdi>${shortened(text, MAX_SENTENCE_LENGTH)}</bdi>`;
}

export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function formatMean(value: number): string {
  return value.toFixed(2);
}

/** Signed mean, such as `+0.50` or `−1.93`. */
export function formatSignedMean(value: number): string {
  return formatSigned(value, formatMean(value));
}

export function renderMetric(value: number | null | undefined, written: (value: number) => string): Html {
  if (value === null || value === undefined) return html`<span class="faint">–</span>`;
  return html`<data value="${value}">${written(value)}</data>`;
}

/** Such as `39.0 to 53.5 %`; empty for an unknown interval. */
export function renderInterval(
  low: number | null | undefined,
  high: number | null | undefined,
  written: (value: number) => string = formatPercent,
): Html | undefined {
  if (low === null || low === undefined || high === null || high === undefined) return undefined;
  const unit = written === formatPercent ? " %" : "";
  return html`<data value="${low}">${written(low).slice(0, unit === "" ? undefined : -unit.length)}</data> to
    <data value="${high}">${written(high)}</data>`;
}

type ChangeVerdict = NonNullable<ShownChange["verdict"]>;

const VERDICT_LABELS: Readonly<Record<ChangeVerdict, readonly [words: string, says: string]>> = {
  moved: ["significant", "The change is too large to be chance."],
  moved_with_field: ["significant, as for rivals", "Rivals changed too, so the cause is not this brand alone."],
  first_sign: ["early signal", "It may be a real change. The next run confirms it or not."],
  within_noise: ["not significant", "A change of this size can be chance."],
  insufficient_data: ["too little data", "Too few prompts changed to judge."],
  model_changed: ["not comparable: new model", "A different model answered in the two runs."],
  method_changed: ["not comparable: new method", "The answers of the two runs were collected in different ways."],
  catalog_changed: ["not comparable: brand list changed", "The two runs were read with different brand lists."],
  basket_changed: ["not comparable: prompts changed", "The two runs have too few prompts in common."],
};

interface ChangeFormat {
  formatDelta: (value: number) => string;
  unit: string;
  formatValue: (value: number) => string;
  isLowerBetter?: boolean;
}

const SHARE_FORMAT: ChangeFormat = {
  formatDelta: (share) => formatSigned(share, (share * 100).toFixed(1)),
  unit: " points",
  formatValue: formatPercent,
};
export const FAULT_SHARE_FORMAT: ChangeFormat = { ...SHARE_FORMAT, isLowerBetter: true };
export const MEAN_FORMAT: ChangeFormat = {
  formatDelta: (value) => formatSigned(value, formatMean(value)),
  unit: "",
  formatValue: formatMean,
};

/** Such as `+6.1 points, not significant`. The title has the interval and explains the verdict. */
export function renderChange(change: ShownChange | null | undefined, as = SHARE_FORMAT): Html {
  if (!change?.verdict) return html`<span class="faint">no earlier run</span>`;
  const { delta, verdict, before, after, ci_low: low, ci_high: high } = change;
  const [label, says] = VERDICT_LABELS[verdict];
  const intervalText =
    delta === null || before === null || after === null || low === null || high === null
      ? ""
      : ` ${as.formatValue(before)} before, ${as.formatValue(after)} after; the change is ${as.formatDelta(low)} to ${as.formatDelta(high)}${as.unit}.`;
  return html`<span class="verdict verdict-${changeTone(change, as)}" title="${says}${intervalText}"
    >${delta !== null && html`<data value="${delta}">${as.formatDelta(delta)}</data>${as.unit}, `}${label}</span
  >`;
}

function formatSigned(value: number, shown: string): string {
  return value > 0 ? `+${shown}` : shown.replace("-", "−");
}

/** True for a change that is, or may be, more than chance. */
export function isLikelyChange(change: ShownChange | null | undefined): boolean {
  return ["moved", "moved_with_field", "first_sign"].includes(change?.verdict ?? "");
}

function changeTone(change: ShownChange, { isLowerBetter = false }: ChangeFormat): "up" | "down" | "none" {
  if (!isLikelyChange(change) || change.delta === null) return "none";
  return change.delta > 0 === isLowerBetter ? "down" : "up";
}
