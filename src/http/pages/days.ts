/** UTC, with the month in words: `22 Nov 2026`. */
export function dayShown(at: string | null): string {
  return at === null ? "no date" : shown(at, { day: "numeric", month: "short", year: "numeric" });
}

/** Without the year: `22 Nov`. */
export function shortDay(at: string | null): string {
  return at === null ? "" : shown(at, { day: "numeric", month: "short" });
}

function shown(at: string, options: Intl.DateTimeFormatOptions): string {
  return new Date(at).toLocaleDateString("en-GB", { timeZone: "UTC", ...options });
}
