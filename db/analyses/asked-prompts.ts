import { z } from "zod";
import type { AskedPrompt } from "../../core/prompts/brand-prompt.ts";
import type { Tables } from "../schema.ts";

export function askedColumns({ questions }: Tables) {
  return {
    kind: questions.promptKind,
    brandId: questions.askedBrandId,
    lookAlike: questions.lookAlike,
    otherBrandId: questions.otherBrandId,
    attribute: questions.attribute,
    asksProsCons: questions.asksProsCons,
  };
}

/** Returns undefined for a keyword. */
export function askedOf({
  kind,
  ...about
}: Omit<AskedPrompt, "kind"> & { kind: AskedPrompt["kind"] | null }): AskedPrompt | undefined {
  return kind === null ? undefined : { kind, ...about };
}

const About = z.object({ category: z.string().optional(), attributes: z.array(z.string()).optional() });

export function settingsToReadWith(settings: Record<string, unknown>): z.output<typeof About> {
  return About.parse(settings);
}
