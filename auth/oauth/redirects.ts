export function isOnThisDevice(redirect: URL): boolean {
  return redirect.protocol !== "https:";
}
