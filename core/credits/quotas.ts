import { formatInteger } from "../shared/format-count.ts";
/** Quotas of an organization over all its workspaces. */
export const QUOTAS = [
  "workspaces",
  "members",
  "brands",
  "personas",
  "analyses",
  "answers",
  "answer_bytes",
  "tags",
  "assets",
  "asset_bytes",
  "content_briefs",
  "api_keys",
] as const;
export type Quota = (typeof QUOTAS)[number];
export type QuotaNumbers = Record<Quota, number>;

export function isQuota(name: string): name is Quota {
  return QUOTAS.some((quota) => quota === name);
}

const GIB = 1024 ** 3;

const STANDARD_QUOTAS: QuotaNumbers = {
  workspaces: 100,
  members: 500,
  brands: 5000,
  personas: 1000,
  analyses: 1000,
  answers: 10_000_000,
  answer_bytes: 50 * GIB,
  tags: 5000,
  assets: 10_000,
  asset_bytes: 50 * GIB,
  content_briefs: 10_000,
  api_keys: 200,
};

/** Limits by plan; other plans are standard. */
const PLAN_QUOTAS: Readonly<Record<string, QuotaNumbers>> = {
  standard: STANDARD_QUOTAS,
  demo: {
    ...STANDARD_QUOTAS,
    workspaces: 10,
    analyses: 100,
    answers: 1_000_000,
    answer_bytes: GIB,
    assets: 500,
    asset_bytes: GIB,
    content_briefs: 500,
  },
};

/** Limits of an organization: its own, else those of its plan. */
export function quotaLimits(organization: { plan: string; quotas: Readonly<Record<string, number>> }): QuotaNumbers {
  const { plan, quotas: own } = organization;
  const limits = { ...(PLAN_QUOTAS[plan] ?? STANDARD_QUOTAS) };
  for (const quota of QUOTAS) limits[quota] = own[quota] ?? limits[quota];
  return limits;
}

/** Name of each quota, and how its owner frees capacity. */
const QUOTA_TEXTS: Record<Quota, { text: string; remedy: string }> = {
  workspaces: { text: "workspaces", remedy: "Archive one that is not needed" },
  members: { text: "members", remedy: "Remove one you no longer need" },
  brands: { text: "brands", remedy: "Delete unused ones" },
  personas: { text: "personas", remedy: "Delete unused ones" },
  analyses: { text: "analyses", remedy: "Archive unused ones" },
  answers: { text: "answers", remedy: "Ask fewer questions, or less often" },
  answer_bytes: { text: "of answers", remedy: "Ask fewer questions, or less often" },
  tags: { text: "tags", remedy: "Delete unused ones" },
  assets: { text: "assets", remedy: "Archive unused ones" },
  asset_bytes: { text: "of assets", remedy: "Archive unused ones" },
  content_briefs: { text: "content briefs", remedy: "Delete unused ones" },
  api_keys: { text: "organization and workspace API keys", remedy: "Revoke unused ones" },
};

export function formatQuotaName(quota: Quota): string {
  const { text } = QUOTA_TEXTS[quota];
  if (isSizeQuota(quota)) return `Size ${text}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Amount for display: "1,000", or "50 GB" for sizes. */
export function formatQuotaAmount(quota: Quota, amount: number): string {
  return isSizeQuota(quota) ? formatSize(amount) : formatInteger(amount);
}

function isSizeQuota(quota: Quota): boolean {
  return quota === "asset_bytes" || quota === "answer_bytes";
}

/** Size in the largest fitting unit, such as "3.2 MB". */
function formatSize(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const at = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  return `${(bytes / 1024 ** at).toLocaleString("en", { maximumFractionDigits: 1 })} ${units[at]}`;
}

export function formatQuotaMessage(
  quota: Quota,
  room: { limit: number; usedAmount: number; addedAmount: number },
): string {
  const { text, remedy } = QUOTA_TEXTS[quota];
  const [limit, used, more] = [room.limit, room.usedAmount, room.addedAmount].map((amount) =>
    formatQuotaAmount(quota, amount),
  );
  const has = room.addedAmount > 1 ? `, has ${used}, and this adds ${more}` : ` and has ${used}`;
  return `This organization can have ${limit} ${text}${has}. ${remedy}, or ask your administrator for more.`;
}
