import type { z } from "zod";
import type { ChangeField } from "../../../core/metrics/changes/change-row.ts";
import { shortened } from "../../http/pages/shortened.ts";
import { html, type Html } from "../../http/pages/html.ts";

// How pages write figures. The whole value stands in the `value` of the element, as the interface gives it.

export type ShownChange = z.output<typeof ChangeField>;

/** As long as a name on a page can be. */
const NAME = 80;

/** The name of a brand, a topic, a prompt: in its own direction and no longer than a page can bear. */
export function nameShown(name: string): Html {
  return html`<bdi>${shortName(name)}</bdi>`;
}

/** The same where no element can stand: in a choice, in an attribute. */
export function shortName(name: string): string {
  return shortened(name, NAME);
}

/** As long as a sentence in a list can be. */
const SENTENCE = 300;

/** A sentence with names from outside, in the same way. */
export function sentenceShown(text: string): Html {
  return html`<bdi>${shortened(text, SENTENCE)}</bdi>`;
}

/** A share of 1 in percent: `46.2 %`. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** A mean: `2.31`. */
export function mean(value: number): string {
  return value.toFixed(2);
}

/** A mean that can be below zero: `+0.50`, `−1.93`. */
export function balance(value: number): string {
  return signed(value, mean(value));
}

/** A figure with its whole value; a dash where there is none. */
export function figure(value: number | null | undefined, written: (value: number) => string): Html {
  if (value === null || value === undefined) return html`<span class="faint">–</span>`;
  return html`<data value="${value}">${written(value)}</data>`;
}

/** `39.0 to 53.5 %`; nothing where the interval is not known. */
export function interval(
  low: number | null | undefined,
  high: number | null | undefined,
  written: (value: number) => string = percent,
): Html | undefined {
  if (low === null || low === undefined || high === null || high === undefined) return undefined;
  const unit = written === percent ? " %" : "";
  return html`<data value="${low}">${written(low).slice(0, unit === "" ? undefined : -unit.length)}</data> to
    <data value="${high}">${written(high)}</data>`;
}

type Verdict = NonNullable<ShownChange["verdict"]>;

/** What each verdict is called, and how it is marked. */
const VERDICT_WORDS: Readonly<Record<Verdict, readonly [words: string, says: string]>> = {
  moved: ["moved", "The change is too large for chance."],
  moved_with_field: ["moved with the field", "The rivals moved too, so this is not a move of the brand alone."],
  first_sign: ["first sign", "It may have moved. The next collect will tell."],
  within_noise: ["within noise", "As large a change comes about by chance."],
  insufficient_data: ["too little data", "Too few prompts differ for a judgement."],
  model_changed: ["model changed", "Another model answered, so the two cannot be compared."],
  method_changed: ["method changed", "The answers were collected in another way, so the two cannot be compared."],
  catalog_changed: [
    "catalog changed",
    "The answers were read with another brand catalog, so the two cannot be compared.",
  ],
  basket_changed: ["prompts changed", "Too few prompts are common to both."],
};

/** How changes of a kind of figure are written. */
interface ChangeWords {
  /** A difference with its sign. */
  delta: (value: number) => string;
  unit: string;
  written: (value: number) => string;
  /** True where less of it is better. */
  isOfFaults?: boolean;
}

const OF_SHARES: ChangeWords = {
  delta: (share) => signed(share, (share * 100).toFixed(1)),
  unit: " points",
  written: percent,
};
/** Of shares of which less is better. */
export const OF_FAULTS: ChangeWords = { ...OF_SHARES, isOfFaults: true };
/** Of means and scores. */
export const OF_MEANS: ChangeWords = { delta: (value) => signed(value, mean(value)), unit: "", written: mean };

/** `+6.1 points, within noise`, with where it lies and what the verdict says in its title. */
export function changeShown(change: ShownChange | null | undefined, as = OF_SHARES): Html {
  if (!change?.verdict) return html`<span class="faint">no earlier collect</span>`;
  const { delta, verdict, before, after, ci_low: low, ci_high: high } = change;
  const [words, says] = VERDICT_WORDS[verdict];
  const sure =
    delta === null || before === null || after === null || low === null || high === null
      ? ""
      : ` ${as.written(before)} before, ${as.written(after)} after; the change is ${as.delta(low)} to ${as.delta(high)}${as.unit}.`;
  return html`<span class="verdict verdict-${toneOf(change, as)}" title="${says}${sure}"
    >${delta !== null && html`<data value="${delta}">${as.delta(delta)}</data>${as.unit}, `}${words}</span
  >`;
}

function signed(value: number, shown: string): string {
  return value > 0 ? `+${shown}` : shown.replace("-", "−");
}

/** True of a change that is more than chance, or may be. */
export function isMove(change: ShownChange | null | undefined): boolean {
  return ["moved", "moved_with_field", "first_sign"].includes(change?.verdict ?? "");
}

function toneOf(change: ShownChange, { isOfFaults = false }: ChangeWords): "up" | "down" | "none" {
  if (!isMove(change) || change.delta === null) return "none";
  return change.delta > 0 === isOfFaults ? "down" : "up";
}
