/** nodejs.org/en/about/previous-releases */
const FIRST_SUPPORTED = 22;

/** Undefined for releases that get security fixes. */
export function releaseWarning(version: string): string | undefined {
  const [major = ""] = version.replace(/^v/, "").split(".");
  if (Number(major) >= FIRST_SUPPORTED) return undefined;
  const end = major === "20" ? " (support ended in April 2026)" : "";
  return `Node.js ${major} no longer gets security fixes${end}. Run the service with Node.js 24.`;
}
