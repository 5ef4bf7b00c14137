export function pluralise(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

export function formatPercent(share: number, digits = 0): string {
  return `${(100 * share).toFixed(digits)} %`;
}
