import type { z } from "zod";
import type { Basis } from "../../../tools/metric-reads/selection/basis.ts";
import { html, type Html } from "../../http/pages/html.ts";
import { simulatedBadge } from "../audits/labels.ts";

export function renderMethodBadge({ kind, collection_methods: methods }: z.output<typeof Basis>): Html {
  if (kind === "simulated") return simulatedBadge;
  const isImported = methods.length > 0 && methods.every((method) => method === "import");
  return isImported ? html`<span class="badge">imported</span>` : html`<span class="badge badge-good">real</span>`;
}
